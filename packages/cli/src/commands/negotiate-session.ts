import { ProposalSession, type SessionControl } from '@proffer/client';
import { type Command, Option } from 'commander';
import { EXIT, type ExitCode } from '../exit-code.js';
import { createHint } from '../negotiation/hint.js';
import { type NegotiatorOptions, negotiate, withNegotiator } from '../negotiation/negotiator.js';
import { tellStart } from '../negotiation/start-failure.js';
import { SPEAKER, type SpeakerOptions, takePart } from '../negotiation/take-part.js';
import { collect, durationOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

interface StartOptions extends SpeakerOptions {
  readonly participant: readonly string[];
  readonly ttl: number;
  readonly policy?: string;
  readonly id?: string;
  readonly context?: string;
  readonly configuration?: string;
}

const CONTROLS: readonly (readonly [SessionControl, string])[] = [
  ['cancel', 'End a session without an outcome'],
  ['suspend', 'Suspend a session: nothing is accepted and its time does not run'],
  ['resume', 'Let a suspended session go on'],
];

/** `proffer negotiate start|cancel|suspend|resume`: the life of a session. */
export function addSessionControl(parent: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withNegotiator(
    parent
      .command('start')
      .argument('<intent>', 'what it is about')
      .description('Start a session; whoever starts it is its initiator')
      .requiredOption('-p, --participant <name>', 'who takes part; may be repeated', collect)
      .addOption(
        new Option('--ttl <duration>', 'how long it may take, at most 1d')
          .argParser(durationOption)
          .default(600_000, '10m'),
      )
      .option('--policy <id>', 'its policy (default policy.default)')
      .option('--id <id>', 'its id; made up if not given')
      .option('--context <id>', 'what it belongs to')
      .option('--configuration <version>', 'the version of the configuration (default config.default)')
      .option('--sender <name>', 'speak for this name, where the token may'),
  ).action(async (intent: string, options: StartOptions) => done(await start(intent, options, shell)));

  for (const [action, description] of CONTROLS) {
    withNegotiator(
      parent
        .command(action)
        .argument('<session>', 'the session')
        .description(description)
        .option('-r, --reason <text>', 'why'),
    ).action(async (session: string, options: NegotiatorOptions & { readonly reason?: string }) => {
      const about = options.reason === undefined ? {} : { reason: options.reason };
      done(await takePart(session, options, shell, (one) => one[action](about)));
    });
  }
}

async function start(intent: string, options: StartOptions, shell: Shell): Promise<ExitCode> {
  const { participant: participants, ttl: ttlMs, policy, id, context, configuration, sender } = options;
  return await negotiate(
    options,
    { shell, role: SPEAKER, tell: (error) => tellStart(error, participants) },
    async ({ client, endpoint }) => {
      await using session = new ProposalSession(client);
      const accepted = await session.start({
        intent,
        participants,
        ttlMs,
        ...(policy === undefined ? {} : { policyVersion: policy }),
        ...(id === undefined ? {} : { sessionId: id }),
        ...(context === undefined ? {} : { contextId: context }),
        ...(configuration === undefined ? {} : { configurationVersion: configuration }),
        ...(sender === undefined ? {} : { sender }),
      });
      const { sessionId } = session;
      if (options.json === true) {
        shell.print(JSON.stringify({ ...accepted }));
        return EXIT.done;
      }
      const { style } = shell;
      const [first = 'NAME'] = participants;
      const { command, as } = createHint(endpoint, shell);
      shell.print(
        `Started ${style.bold(visible(sessionId))}.`,
        style.dim(`  to make an offer:  ${visible(`${command('propose', sessionId)} p1 "…"${as(first)}`)}`),
        style.dim(`  to follow it:      ${visible(`${command('watch', sessionId)}${as()}`)}`),
      );
      return EXIT.done;
    },
  );
}
