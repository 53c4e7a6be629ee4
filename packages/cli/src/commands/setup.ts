import type { Command } from 'commander';
import { usageFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer init` and `proffer token`: what an operator needs before the first start. */
export function addSetup(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  program
    .command('init')
    .argument('[file]', 'the file to write', 'proffer.yaml')
    .description('Write a commented configuration to begin with; never overwrites')
    .action(async (file: string) => {
      await (await import('../actions/init.js')).init(file, shell);
      done(EXIT.done);
    });

  program
    .command('token')
    .argument('[name]', 'the participant it is for')
    .description('Make a token: printed once, with what to put into the configuration')
    .option('--json', 'answer in JSON')
    .action(async (name: string | undefined, { json }: { readonly json?: boolean }) => {
      if (name === undefined)
        throw usageFailure('Whom is the token for? Give the name of a participant.', [
          `${shell.name} token agent`,
        ]);
      (await import('../actions/token.js')).makeToken(name, json === true, shell);
      done(EXIT.done);
    });
}
