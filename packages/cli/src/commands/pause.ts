import type { Command } from 'commander';
import type { PauseOptions } from '../actions/pause.js';
import { withGuards } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer pause` and `resume`: stop all approvals of a space at once, and resume them. */
export function addPause(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withGuards(
    program
      .command('pause')
      .description('Pause all approvals of a space; rejecting and withdrawing still work')
      .option('-r, --reason <reason>', 'why; everyone sees it')
      .option('--json', 'print JSON'),
  ).action(async (options: PauseOptions) =>
    done(await (await import('../actions/pause.js')).pause(options, shell)),
  );
  withGuards(
    program.command('resume').description('End the pause of a space').option('--json', 'print JSON'),
  ).action(async (options: PauseOptions) =>
    done(await (await import('../actions/pause.js')).resume(options, shell)),
  );
}
