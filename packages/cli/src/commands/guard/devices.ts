import type { Command } from 'commander';
import type { DevicesOptions } from '../../actions/devices.js';
import type { ExitCode } from '../../exit-code.js';
import type { Shell } from '../../terminal/shell.js';

/** `proffer devices`: the phones that may review in the guards' inbox. */
export function addDevices(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  program
    .command('devices')
    .description("List or revoke the devices paired with the guards' inbox")
    .option('--revoke <name>', 'revoke the access of a device at once')
    .option('--json', 'print JSON')
    .action(async (options: DevicesOptions) =>
      done(await (await import('../../actions/devices.js')).devices(options, shell)),
    );
}
