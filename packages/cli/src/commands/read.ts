import type { Command } from 'commander';
import type { InboxFlags } from '../actions/inbox.js';
import type { ShowFlags } from '../actions/show.js';
import { withGuards } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import { EXACT } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

/** Proposals that `--all` shows, at most. */
export const MAX_SHOWN = 500;

/** `proffer inbox` and `proffer show`: pending proposals, and the life of one proposal. */
export function addReading(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withGuards(
    program
      .command('inbox')
      .description('List pending proposals')
      .option('-w, --watch', 'live view, with keys to decide')
      .option('--open', 'open it in the browser; with --guard, signed in')
      .option('--share [address]', 'with --guard: let phones on this network review, while it runs')
      .option('--all', `all proposals, not only pending ones (the latest ${MAX_SHOWN})`)
      .option('--data <folder>', "read a journal's folder instead of asking a gateway")
      .option('--json', 'print JSON'),
  ).action(async (options: InboxFlags) =>
    done(await (await import('../actions/inbox.js')).inbox(options, shell)),
  );

  withGuards(
    program
      .command('show')
      .argument('<id>', 'the proposal, or the beginning of its id')
      .description('Show the history of a proposal')
      .option('--reveal', 'show passwords, tokens and other secrets too; that you looked is recorded')
      .option('--exact', EXACT)
      .option('--data <folder>', "read a journal's folder instead of asking a gateway")
      .option('--json', 'print JSON'),
  ).action(async (id: string, options: ShowFlags) =>
    done(await (await import('../actions/show.js')).show(id, options, shell)),
  );
}
