import type { Command } from 'commander';
import type { WatchFlags } from '../actions/watch.js';
import type { ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer watch`: look at what agents do before anyone is asked about it. */
export function addWatch(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  program
    .command('watch')
    .description('Watch what agents do on this machine without asking anyone, then ask with fitting rules')
    .option('--begin', 'from now on ask nobody, and record what would have been asked')
    .option('--end', 'from now on ask, with the rules that would have answered most; shows them first')
    .option('--no-rules', 'with --end: add no rules')
    .option('--json', 'print JSON')
    .option('-y, --yes', 'do not ask for confirmation on a terminal')
    .option('--data <folder>', 'the folder of the guards and hooks (default: in the data folder of the user)')
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
}
