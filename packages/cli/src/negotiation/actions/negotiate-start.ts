import { MacpSession } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import { findMode, PROPOSAL_MODE } from '@proffer/core/negotiation';
import { EXIT, type ExitCode } from '../../command-failure.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';
import { createHint, type Hint } from '../hint.js';
import { fieldPlaceholders } from '../message-fields.js';
import { modeNamed, shortMode } from '../mode-names.js';
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
  const mode = modeNamed(options.mode ?? PROPOSAL_MODE);
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
          : `to begin:          ${firstMessage(session, command)}`;
      shell.print(
        `Started ${style.bold(visible(sessionId))}.`,
        style.dim(`  ${visible(next)}`),
        style.dim(`  to follow it:      ${visible(command('watch', [sessionId]))}`),
        ...(mode === PROPOSAL_MODE
          ? []
          : [
              style.dim(
                `  all its messages:  ${visible(`${shell.name} negotiate modes ${shortMode(mode)}`)}`,
              ),
            ]),
      );
      return EXIT.done;
    },
  );
}

/** The command for the first message of a session, from somebody who may send it. */
function firstMessage({ projection, sessionId }: MacpSession, command: Hint['command']): string {
  const { transcript, terms } = projection;
  const [start] = transcript;
  const mode = findMode(start?.mode ?? '');
  // After SessionStart comes what opens a negotiation in its mode.
  const message_type = mode?.descriptor.message_types[1] ?? 'TYPE';
  const names = terms === undefined ? [] : [...terms.participants, terms.initiator];
  const first = names.find(
    (sender) =>
      start !== undefined &&
      terms !== undefined &&
      mode?.checkSender(terms, { ...start, message_type, sender }) === undefined,
  );
  const more = fieldPlaceholders(start?.mode ?? '', message_type);
  return command('send', [sessionId, message_type], { more, ...defined({ sender: first }) });
}
