import type { AddCommands } from '../command-families.js';
import { type EndpointOptions, withGuards } from '../command-options.js';
import { connect } from '../connection/connect.js';
import { printJson, type Shell } from '../terminal/shell.js';

/** `proffer checkpoint`: the signed state of a gateway's log, to be kept elsewhere. */
export const addCheckpoint: AddCommands = (program, shell) => {
  withGuards(
    program
      .command('checkpoint')
      .description('Sign the log of a gateway as it is now, and print the checkpoint')
      .option('--keys', 'print the keys that checkpoints are signed with instead')
      .option('--json', 'print JSON')
      .addHelpText(
        'after',
        `
Keep it where whoever runs the gateway cannot change it: it shows later whether
records were changed or removed (${shell.name} verify --checkpoint FILE). The
configuration needs an evidence section, as ${shell.name} init writes it.`,
      ),
  ).action(async (options: CheckpointOptions) => await checkpoint(options, shell));
};

interface CheckpointOptions extends EndpointOptions {
  readonly keys?: boolean;
  readonly json?: boolean;
}

async function checkpoint({ keys, json, ...options }: CheckpointOptions, shell: Shell): Promise<void> {
  const signed = await connect(options, shell, 'reviewer').checkpoint();
  if (json === true) printJson(signed, shell);
  else if (keys === true) shell.print(...signed.keys);
  else shell.print(signed.checkpoint.trimEnd());
}
