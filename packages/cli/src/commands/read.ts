import type { Command } from 'commander';
import type { InboxOptions } from '../actions/inbox.js';
import type { ShowOptions } from '../actions/show.js';
import { withGuards } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import { EXACT } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

/** Proposals that `--all` shows, at most. */
export const MOST_SHOWN = 500;

/** `proffer inbox` and `proffer show`: what waits for a decision, and the life of one proposal. */
export function addReading(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withGuards(
    program
      .command('inbox')
      .description('List what waits for a decision')
      .option('-w, --watch', 'a live view with keys to decide')
      .option('--all', `every proposal there ever was, of more than ${MOST_SHOWN} the latest`)
      .option('--data <folder>', "read a journal's folder, without a gateway")
      .option('--json', 'answer in JSON'),
  ).action(async (options: InboxOptions) =>
    done(await (await import('../actions/inbox.js')).inbox(options, shell)),
  );

  withGuards(
    program
      .command('show')
      .argument('<id>', 'the proposal, or the beginning of its id')
      .description('Show the whole life of a proposal, with what was changed')
      .option('--exact', EXACT)
      .option('--data <folder>', "read a journal's folder, without a gateway")
      .option('--json', 'answer in JSON'),
  ).action(async (id: string, options: ShowOptions) =>
    done(await (await import('../actions/show.js')).show(id, options, shell)),
  );
}
