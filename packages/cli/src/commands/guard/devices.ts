import type { DevicesOptions } from '../../actions/devices.js';
import type { AddCommands } from '../../command-families.js';

/** `proffer devices`: the phones that may review in the guards' inbox. */
export const addDevices: AddCommands = (program, shell, done) => {
  program
    .command('devices')
    .description("List or revoke the devices paired with the guards' inbox")
    .option('--revoke <name>', 'revoke the access of a device at once')
    .option('--json', 'print JSON')
    .action(async (options: DevicesOptions) =>
      done(await (await import('../../actions/devices.js')).devices(options, shell)),
    );
};
