import type { Command } from 'commander';
import type { ExitCode } from '../../command-failure.js';
import { countOption, seqOption } from '../../command-options.js';
import type { Shell } from '../../terminal/shell.js';
import type { ListOptions } from '../actions/negotiate-list.js';
import type { NegotiateShowFlags } from '../actions/negotiate-show.js';
import type { NegotiateWatchFlags } from '../actions/negotiate-watch.js';
import { withNegotiator } from '../negotiator-options.js';

/** `proffer negotiate list|show|watch`: the state of negotiations. */
export function addSessionReading(parent: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withNegotiator(
    parent
      .command('list')
      .description('List the sessions you can read')
      .option('--mode <name>', 'only sessions in this mode, such as decision')
      .option('--with <name>', 'only sessions that this participant started or takes part in')
      .option('--all', 'include ended sessions, with who ended them and why')
      .option('--limit <count>', 'with --all: how many at most', countOption, 50)
      .option('--before <place>', 'with --all: continue where an earlier list stopped', seqOption),
  ).action(async (options: ListOptions) =>
    done(await (await import('../actions/negotiate-list.js')).list(options, shell)),
  );

  withNegotiator(
    parent
      .command('show')
      .argument('<session>', 'the session')
      .description('Show the state of a session, and whether it can be committed')
      .option('--committer <name>', 'who would commit (default the initiator)'),
  ).action(async (text: string, options: NegotiateShowFlags) =>
    done(await (await import('../actions/negotiate-show.js')).show(text, options, shell)),
  );

  withNegotiator(
    parent
      .command('watch')
      .argument('<session>', 'the session')
      .description('Follow a session until it ends')
      .option('--after <sequence>', 'only messages after this one', seqOption, 0),
  ).action(async (text: string, options: NegotiateWatchFlags) =>
    done(await (await import('../actions/negotiate-watch.js')).watch(text, options, shell)),
  );
}
