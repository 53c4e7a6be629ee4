import type { WitnessFlags } from '../actions/witness.js';
import type { AddCommands } from '../command-families.js';

/** `proffer witness`: signs the checkpoints of other people's logs. */
export const addWitness: AddCommands = (program, shell) => {
  program
    .command('witness')
    .description("Sign the checkpoints of other people's logs, if they continue what you saw before")
    .argument('<key...>', 'a key of each log, as its "checkpoint --keys" prints it, or a file with keys')
    .option('--data <folder>', 'where your key and the last checkpoints are kept', 'proffer-witness')
    .option('--listen <address>', 'where logs reach you', '127.0.0.1:7440')
    .option(
      '--name <name>',
      'the name of a new witness, such as witness.example.com (default: from this machine)',
    )
    .addHelpText(
      'after',
      `
Run it on a machine that the operator of the log cannot change. Give them the
address and the key that this prints; both go into the log's configuration:

  evidence:
    witnesses:
      - url: https://witness.example.com
        key: witness.example.com+…

It speaks C2SP's tlog-witness over HTTP: put a proxy with TLS in front of it.
Keep the folder: a witness that forgot what it signed would sign a second
history.`,
    )
    .action(
      async (keys: readonly string[], options: WitnessFlags) =>
        await (await import('../actions/witness.js')).witness(keys, options, shell),
    );
};
