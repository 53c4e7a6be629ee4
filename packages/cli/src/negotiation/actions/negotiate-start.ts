import { MacpSession } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import { PROPOSAL_MODE } from '@proffer/core/negotiation';
import { EXIT, type ExitCode } from '../../command-failure.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';
import { createHint } from '../hint.js';
import { negotiate } from '../negotiator.js';
import { DEV_SENDER, type SendInSessionOptions } from '../send-in-session.js';
import { tellStart } from '../start-failure.js';

/** Command-line options of `negotiate start`. */
export interface NegotiateStartFlags extends SendInSessionOptions {
  readonly participant: readonly string[];
  readonly ttl: number;
  readonly mode?: string;
  readonly policy?: string;
  readonly id?: string;
  readonly context?: string;
  readonly configuration?: string;
}

/** Starts a session, and prints the next commands. */
export async function start(intent: string, options: NegotiateStartFlags, shell: Shell): Promise<ExitCode> {
  const { participant: participants, ttl: ttlMs, policy, id, context, configuration, sender } = options;
  const { mode = PROPOSAL_MODE } = options;
  return await negotiate(
    options,
    { shell, role: DEV_SENDER, tell: (error) => tellStart(error, participants) },
    async ({ client, endpoint }) => {
      await using session = new MacpSession(client, { mode });
      const accepted = await session.start({
        intent,
        participants,
        ttlMs,
        ...defined({
          policyVersion: policy,
          sessionId: id,
          contextId: context,
          configurationVersion: configuration,
          sender,
        }),
      });
      const { sessionId } = session;
      if (options.json === true) {
        printJson({ ...accepted }, shell);
        return EXIT.done;
      }
      const { style } = shell;
      const [first = 'NAME'] = participants;
      const { command } = createHint(endpoint, shell);
      const next =
        mode === PROPOSAL_MODE
          ? `to make an offer:  ${command('propose', [sessionId, 'p1'], { more: '"…"', sender: first })}`
          : `to send a message: ${command('send', [sessionId], { more: "TYPE '{…}'", sender: first })}`;
      shell.print(
        `Started ${style.bold(visible(sessionId))}.`,
        style.dim(`  ${visible(next)}`),
        style.dim(`  to follow it:      ${visible(command('watch', [sessionId]))}`),
      );
      return EXIT.done;
    },
  );
}
