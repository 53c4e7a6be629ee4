import type { Command } from 'commander';
import { usageFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer init` and `proffer token`: for operators, before the first start. */
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
}
