import { createInterface } from 'node:readline';
import { MacpSession } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import type { SessionRecord } from '@proffer/core/negotiation';
import { EXIT, type ExitCode } from '../../command-failure.js';
import { journalPlace } from '../../journal/place.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { readJournalledSession } from '../journalled-session.js';
import { encodeMoment, showMoment } from '../moment-view.js';
import { negotiate, READER } from '../negotiator.js';
import type { NegotiatorOptions } from '../negotiator-options.js';
import { readBasis, recordOf } from '../session-records.js';
import { createStory } from '../story.js';

/** Command-line options of `negotiate replay`. */
export interface NegotiateReplayFlags extends NegotiatorOptions {
  readonly data?: string;
  readonly until?: number;
  readonly step?: boolean;
}

/** Prints a session message by message. */
export async function replay(text: string, options: NegotiateReplayFlags, shell: Shell): Promise<ExitCode> {
  const records =
    options.data === undefined
      ? await readFromGateway(text, options, shell)
      : await readJournalledSession(await journalPlace(options, shell), text, shell.name);
  const [first] = records;
  if (first?.type !== 'session_started') return EXIT.done;
  const { rules, mode_descriptor: descriptor } = first.facts;
  const story = createStory({ mode: first.envelope.mode, rules, ...defined({ descriptor }) });
  await using pace = options.step === true ? waitForEnter(shell) : undefined;
  for (const record of records.slice(0, options.until)) {
    const moment = story.add(record);
    if (options.json === true) printJson(encodeMoment(moment, story), shell);
    else shell.print(...showMoment(moment, story, shell));
    await pace?.next();
  }
  return EXIT.done;
}

function readFromGateway(
  text: string,
  options: NegotiateReplayFlags,
  shell: Shell,
): Promise<readonly SessionRecord[]> {
  return negotiate(options, { shell, role: READER }, async ({ client, find }) => {
    const id = await find(text);
    const basis = await readBasis(client, id);
    await using session = await MacpSession.join(client, id, { rules: basis.rules });
    return session.projection.transcript.map((envelope) => recordOf(envelope, basis));
  });
}

/** Lines typed on the keyboard, one by one, until the input ends. */
function waitForEnter({ stdin }: Shell): AsyncDisposable & { next(): Promise<unknown> } {
  const reader = createInterface({ input: stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  return {
    next: () => lines.next(),
    async [Symbol.asyncDispose]() {
      reader.close();
      stdin.destroy();
    },
  };
}
