import type { Command } from 'commander';
import { usageFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer init`, `proffer token` and `proffer key`: for operators, before the first start. */
export function addSetup(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  program
    .command('init')
    .argument('[file]', 'the file to write', 'proffer.yaml')
    .description('Write a commented configuration; never overwrites a file')
    .action(async (file: string) => {
      await (await import('../actions/init.js')).init(file, shell);
      done(EXIT.done);
    });

  program
    .command('token')
    .argument('[name]', 'the participant it is for')
    .description('Create a token, and show the lines for the configuration')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json }: { readonly json?: boolean }) => {
      if (name === undefined)
        throw usageFailure('Name the participant that the token is for.', [`${shell.name} token agent`]);
      (await import('../actions/token.js')).makeToken(name, json === true, shell);
      done(EXIT.done);
    });

  program
    .command('key')
    .description('Create a key for gateways that share a journal on NATS')
    .addHelpText(
      'after',
      `
Prints one line for the file that journal.nats.key_file names. All gateways on
a journal need the same file. Its first key signs records, and all of them are
accepted, so to replace a key: add the new one at the end of the file on every
machine and restart the gateways, then move it to the top and restart them
again. The old key stays in the file, because it has signed earlier records.`,
    )
    .action(async () => {
      shell.print((await import('@proffer/journal/nats-keys')).createKeyLine());
      done(EXIT.done);
    });
}
