import type { WatchFlags } from '../actions/watch.js';
import type { AddCommands } from '../command-families.js';
import { GUARDS_DATA } from '../command-options.js';

/** `proffer watch`: look at what agents do before anyone is asked about it. */
export const addWatch: AddCommands = (program, shell, done) => {
  program
    .command('watch')
    .description('Watch what agents do on this machine without asking anyone; then ask, with rules that fit')
    .option('--begin', 'from now on ask nobody, and record what you would have been asked')
    .option(
      '--end',
      'from now on ask, using the rules that would have decided the most calls; shows the rules first',
    )
    .option('--no-rules', 'with --end: add no rules')
    .option('--json', 'print JSON')
    .option('-y, --yes', 'do not ask for confirmation on a terminal')
    .option('--data <folder>', GUARDS_DATA)
    .addHelpText(
      'after',
      `
While Proffer watches, its guards, hooks and adapters on this machine let every
call pass, even those that rules or protections would deny. Without an option,
this shows what they saw, and which rules would have decided it.`,
    )
    .action(async (options: WatchFlags) =>
      done(await (await import('../actions/watch.js')).watch(options, shell)),
    );
};
