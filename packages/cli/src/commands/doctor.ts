import type { Command } from 'commander';
import type { DoctorOptions } from '../actions/doctor.js';
import { withGuards } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import { CONFIG } from '../journal/folder-options.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer doctor`: checks everything that a gateway needs, and says what to do. */
export function addDoctor(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withGuards(
    program
      .command('doctor')
      .description('Check this machine, the configuration and the gateway')
      .option('-c, --config <file>', CONFIG)
      .option('--data <folder>', 'the folder of the journal (default: from the configuration)')
      .option('--phone', 'check the way from a notification to a decision on a phone')
      .option('--json', 'print JSON'),
  ).action(async (options: DoctorOptions) =>
    done(await (await import('../actions/doctor.js')).diagnose(options, shell)),
  );
}
