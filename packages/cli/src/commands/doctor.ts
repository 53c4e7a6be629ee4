import type { DoctorOptions } from '../actions/doctor.js';
import type { AddCommands } from '../command-families.js';
import { CONFIG, withGuards } from '../command-options.js';

/** `proffer doctor`: checks everything that a gateway needs, and says what to do. */
export const addDoctor: AddCommands = (program, shell, done) => {
  withGuards(
    program
      .command('doctor')
      .description('Check this machine, the configuration and the gateway')
      .option('-c, --config <file>', CONFIG)
      .option('--data <folder>', 'the folder of the journal (default: from the configuration)')
      .option('--phone', 'check everything from a notification to a decision on a phone')
      .option('--json', 'print JSON'),
  ).action(async (options: DoctorOptions) =>
    done(await (await import('../actions/doctor.js')).diagnose(options, shell)),
  );
};
