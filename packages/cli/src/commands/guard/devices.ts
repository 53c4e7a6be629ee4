import { CommandFailure, EXIT } from '../../command-failure.js';
import type { AddCommands } from '../../command-families.js';
import { guardsFolder } from '../../connection/guards-folder.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { formatTable, tableWidth } from '../../terminal/table.js';
import { formatSpan, visible } from '../../terminal/visible.js';

/** `proffer devices`: the phones that may review in the guards' inbox. */
export const addDevices: AddCommands = (program, shell) => {
  program
    .command('devices')
    .description("List or revoke the devices paired with the guards' inbox")
    .option('--revoke <name>', "revoke a device's access immediately")
    .option('--json', 'print JSON')
    .action(async (options: DevicesOptions) => await devices(options, shell));
};

/** Command-line options of `devices`. */
interface DevicesOptions {
  readonly revoke?: string;
  readonly json?: boolean;
}

/** Lists the devices that were paired with the guards' inbox, or revokes one. */
async function devices({ revoke, json }: DevicesOptions, shell: Shell): Promise<void> {
  const { devicesIn } = await import('../../share/devices.js');
  const paired = devicesIn(guardsFolder(shell.env));
  const { style, name: program } = shell;
  if (revoke !== undefined) {
    if (!(await paired.revoke(revoke)))
      throw new CommandFailure({
        exit: EXIT.refused,
        code: 'not_found',
        message: `Device ${visible(revoke)} not found.`,
        next: [`${program} devices   # lists them`],
      });
    shell.print(`${visible(revoke)} is revoked.`);
    return;
  }
  const list = paired.list();
  if (json === true) {
    printJson({ devices: list.map(({ name, agent, pairedAt }) => ({ name, agent, pairedAt })) }, shell);
    return;
  }
  if (list.length === 0) {
    shell.print('No device is paired.', style.dim(`  to pair one:  ${program} inbox --guard --share`));
    return;
  }
  const columns = [
    { title: 'NAME', paint: style.bold },
    { title: 'PAIRED' },
    { title: 'DEVICE', flexible: true },
  ];
  const rows = list.map(({ name, agent, pairedAt }) => [
    visible(name),
    `${formatSpan(shell.now() - pairedAt)} ago`,
    visible(agent),
  ]);
  shell.print(formatTable(columns, rows, { width: tableWidth(shell), style }));
}
