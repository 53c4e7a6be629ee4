import type { Command } from 'commander';
import type { ApproveFlags, RejectFlags, RenewOptions, WithdrawFlags } from '../actions/decide.js';
import { usageFailure } from '../command-failure.js';
import { withEndpoint, withGuards } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import { collect, durationOption, EXACT } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

/** Reasons that programs know (O-17); anything else is free text. */
const REASONS =
  'busy, incapable, policy, disagree, unsafe, duplicate, invalid, timeout, resource_limit, other';

/** What can be reported about a proposal (O-42). */
const STATUSES = ['considering', 'queued', 'processing', 'unable'];

/**
 * `proffer approve`, `reject`, `status`, `withdraw` and `renew`: decide about proposals, and change how long they wait.
 */
export function addDecisions(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withGuards(
    program
      .command('approve')
      .argument('<id...>', 'the proposals, or the beginnings of their ids')
      .description('Approve proposals: show the calls, then run each once')
      .option('--set <path=value>', 'change an argument first, such as text=hi; may be repeated', collect)
      .option('--add <path=value>', 'add an argument that the call does not have; may be repeated', collect)
      .option('--to <executor>', 'who runs it, if several could')
      .option(
        '--digest <digest>',
        'approve only if it still has this digest, which show and inbox --json print',
      )
      .option('--take-back', 'take your approval back, until enough people have approved; rejects nothing')
      .option('-y, --yes', 'do not ask for confirmation on a terminal')
      .option('--exact', EXACT)
      .option('--no-wait', 'do not wait for the result')
      .option('--timeout <duration>', 'give up after this time, even if nothing was sent yet', durationOption)
      .option('--json', 'print JSON'),
  ).action(async (ids: readonly string[], options: ApproveFlags) => {
    const [id = ''] = ids;
    if (options.takeBack === true)
      return done(await (await import('../actions/take-back.js')).takeBack(ids, options, shell));
    done(
      ids.length === 1
        ? await (await import('../actions/decide.js')).approve(id, options, shell)
        : await (await import('../actions/approve-several.js')).approveSeveral(ids, options, shell),
    );
  });

  withGuards(
    program
      .command('reject')
      .argument('<id...>', 'the proposals, or the beginnings of their ids')
      .description('Reject proposals, with a reason')
      .requiredOption('-r, --reason <reason>', `${REASONS}, or free text`)
      .option('-m, --message <text>', 'details about the reason')
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  ).action(async (texts: readonly string[], options: RejectFlags) =>
    done(await (await import('../actions/decide.js')).reject(texts, options, shell)),
  );

  withGuards(
    program
      .command('status')
      .addArgument(program.createArgument('[status]', 'how far you are with proposals').choices(STATUSES))
      .argument('[id...]', 'the proposals, or the beginnings of their ids')
      .description('Show what is connected; or report how far you are with proposals')
      .option('-m, --message <text>', 'details')
      .option('--exact', EXACT)
      .option('--data <folder>', 'without a status: the folder of the guards and hooks')
      .option('--json', 'print JSON'),
  ).action(
    async (
      word: string | undefined,
      texts: readonly string[],
      options: WithdrawFlags & { readonly data?: string },
    ) => {
      if (word === undefined)
        return done(await (await import('../actions/connect/status.js')).showStatus(options, shell));
      if (texts.length === 0)
        throw usageFailure('Which proposals? Their ids follow the status.', [
          `${shell.name} status ${word} ID`,
        ]);
      done(await (await import('../actions/decide.js')).status(word, texts, options, shell));
    },
  );

  withEndpoint(
    program
      .command('withdraw')
      .argument('<id...>', 'your own proposals, or the beginnings of their ids')
      .description('Withdraw your own proposals')
      .option('-r, --reason <reason>', 'why')
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  ).action(async (texts: readonly string[], options: WithdrawFlags) =>
    done(await (await import('../actions/decide.js')).withdraw(texts, options, shell)),
  );

  withEndpoint(
    program
      .command('renew')
      .argument('<id>', 'your own proposal, or the beginning of its id')
      .description('Give your own proposal more time')
      .requiredOption('--ttl <duration>', 'how long it is valid from now on, such as 10m', durationOption)
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  ).action(async (text: string, options: RenewOptions) =>
    done(await (await import('../actions/decide.js')).renew(text, options, shell)),
  );
}
