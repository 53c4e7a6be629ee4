import type { SessionControl } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import { type Command, Option } from 'commander';
import type { ExitCode } from '../../command-failure.js';
import { collect, durationOption } from '../../command-options.js';
import type { Shell } from '../../terminal/shell.js';
import type { NegotiateReviewFlags } from '../actions/negotiate-review.js';
import type { NegotiateStartFlags } from '../actions/negotiate-start.js';
import { type NegotiatorOptions, withNegotiator } from '../negotiator-options.js';

/** Written out, because help must not load the rules. */
const MODES = 'proposal, decision, task, handoff, quorum or multi-round';

const CONTROLS: readonly (readonly [SessionControl, string])[] = [
  ['cancel', 'End a session without an outcome'],
  ['suspend', 'Suspend a session: no messages are accepted and its clock stops'],
  ['resume', 'Resume a suspended session'],
];

/** `proffer negotiate start|cancel|suspend|resume`: the life of a session. */
export function addSessionControl(parent: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withNegotiator(
    parent
      .command('start')
      .argument('<intent>', 'what it is about')
      .description('Start a session, as its initiator')
      .requiredOption('-p, --participant <name>', 'a participant; may be repeated', collect)
      .addOption(
        new Option('--ttl <duration>', 'how long it may last, at most 1d')
          .argParser(durationOption)
          .default(600_000, '10m'),
      )
      .option('--mode <name>', `its mode: ${MODES} (default proposal)`)
      .option('--policy <id>', 'its policy (default policy.default)')
      .option('--id <id>', 'its id (default: generated)')
      .option('--context <id>', 'the context it belongs to')
      .option('--configuration <version>', 'the version of the configuration (default config.default)')
      .option('--sender <name>', 'speak for this participant, if the token allows it'),
  ).action(async (intent: string, options: NegotiateStartFlags) =>
    done(await (await import('../actions/negotiate-start.js')).start(intent, options, shell)),
  );

  withNegotiator(
    parent
      .command('review')
      .argument('<proposal>', 'the proposal, or the beginning of its id')
      .description('Start a quorum about a proposal, as its initiator')
      .requiredOption('-p, --participant <name>', 'a participant; may be repeated', collect)
      .addOption(
        new Option('--ttl <duration>', 'how long it may last, at most 1d')
          .argParser(durationOption)
          .default(3_600_000, '1h'),
      )
      .option('--space <name>', 'the space of the proposal', 'main')
      .option('--policy <id>', 'the policy of the session (default policy.default)')
      .option('--sender <name>', 'speak for this participant, if the token allows it'),
  ).action(async (proposal: string, options: NegotiateReviewFlags) =>
    done(await (await import('../actions/negotiate-review.js')).reviewInSession(proposal, options, shell)),
  );

  for (const [action, description] of CONTROLS) {
    withNegotiator(
      parent
        .command(action)
        .argument('<session>', 'the session')
        .description(description)
        .option('-r, --reason <text>', 'why'),
    ).action(async (session: string, options: NegotiatorOptions & { readonly reason?: string }) => {
      const about = defined({ reason: options.reason });
      const { sendInSession } = await import('../send-in-session.js');
      const { joinAny } = await import('../any-session.js');
      done(await sendInSession(session, options, shell, { join: joinAny, say: (one) => one[action](about) }));
    });
  }
}
