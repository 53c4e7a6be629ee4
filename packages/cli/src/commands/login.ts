import type { Command } from 'commander';
import type { LoginOptions } from '../actions/login.js';
import { CA, withUrl } from '../connection/endpoint-options.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer login` and `proffer logout`: a token that every command uses for its gateway. */
export function addLogin(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withUrl(
    program.command('login').description('Store your token for a gateway, after checking that it works'),
  )
    .option('--token <token>', 'the token (default: asked for, or read from the standard input)')
    .option('--space <name>', 'the default space for commands on this gateway')
    .option('--ca <file>', CA)
    .addHelpText(
      'after',
      `
Stored in credentials.json in the config folder, which only you can read.
--token and PROFFER_TOKEN take precedence over it.

Examples:
  ${shell.name} login --url https://gateway.example
  ${shell.name} login --url https://gateway.example < token.txt`,
    )
    .action(async (options: LoginOptions) => {
      await (await import('../actions/login.js')).login(options, shell);
      done(EXIT.done);
    });

  withGateway(program.command('logout').description('Remove the stored token for a gateway')).action(
    async (options: LoginOptions) => {
      (await import('../actions/login.js')).logout(options, shell);
      done(EXIT.done);
    },
  );
}

function withGateway(command: Command): Command {
  return withUrl(command).option('--json', 'print JSON');
}
