import { readEnvelope } from '@proffer/core/negotiation';
import { EXIT, type ExitCode } from '../../command-failure.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { formatMoment, pad } from '../../terminal/visible.js';
import { wordsFor } from '../message-words.js';
import { negotiate, READER } from '../negotiator.js';
import type { NegotiatorOptions } from '../negotiator-options.js';

/** Command-line options of `negotiate watch`. */
export interface NegotiateWatchFlags extends NegotiatorOptions {
  readonly after: number;
}

/** Prints the messages of a session until it ends or the command is stopped. */
export async function watch(text: string, options: NegotiateWatchFlags, shell: Shell): Promise<ExitCode> {
  const signal = shell.interruption();
  // Tried once without retries, so that a wrong address is reported at once.
  const id = await negotiate(options, { shell, role: READER }, async ({ client, find }) => {
    return (await client.getSession(await find(text))).session_id;
  });
  await negotiate(options, { shell, role: READER, patient: true }, async ({ client }) => {
    let isLost = false;
    const onLost = (): void => {
      if (!isLost) shell.tell(shell.style.yellow('Connection to the gateway lost; reconnecting.'));
      isLost = true;
    };
    for await (const accepted of client.subscribe(id, { after: options.after, signal, onLost })) {
      isLost = false;
      const { sequence, envelope, acceptedAt = envelope.timestamp_unix_ms } = accepted;
      const read = readEnvelope(envelope);
      if (options.json === true) printJson(accepted, shell);
      else if (read.ok) {
        const { who, what, detail } = wordsFor(read.value, shell.style);
        const when = shell.style.dim(formatMoment(acceptedAt, shell.now()));
        shell.print(
          `${pad(String(sequence), 4)}${when}  ${pad(who, 14)}  ${pad(what, 10)}  ${detail}`.trimEnd(),
        );
      }
    }
  });
  return EXIT.done;
}
