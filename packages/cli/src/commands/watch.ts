import type { WatchFlags } from '../actions/watch.js';
import type { AddCommands } from '../command-families.js';
import { GUARDS_DATA } from '../command-options.js';

/** `proffer watch`: look at what agents do before anyone is asked about it. */
export const addWatch: AddCommands = (program, shell, done) => {
  program
    .command('watch')
    .description('Watch what agents do on this machine without asking anyone, then ask with fitting rules')
    .option('--begin', 'from now on ask nobody, and record what would have been asked')
    .option('--end', 'from now on ask, with the rules that would have answered most; shows them first')
    .option('--no-rules', 'with --end: add no rules')
    .option('--json', 'print JSON')
    .option('-y, --yes', 'do not ask for confirmation on a terminal')
    .option('--data <folder>', GUARDS_DATA)
    .addHelpText(
      'after',
      `
While Proffer watches, its guards, hooks and adapters on this machine let every
call pass, also those that rules or protections would deny. Without an option,
this says what they saw, and which rules would have answered.`,
    )
    .action(async (options: WatchFlags) =>
      done(await (await import('../actions/watch.js')).watch(options, shell)),
    );
};
