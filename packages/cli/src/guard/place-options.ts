import type { Command } from 'commander';
import { CA, withUrl } from '../connection/endpoint-options.js';
import { portOption } from '../option-values.js';

/** Adds the options for the space that a server joins. */
export function withPlace(command: Command): Command {
  const named = command.option(
    '--name <name>',
    'the name of the server, for people and rules (default: from the command)',
  );
  return withUrl(named, 'an existing gateway (default: the one that the guards of this machine share)')
    .option('--token <token>', 'with --url: the token to connect with (or PROFFER_TOKEN)')
    .option('--space <name>', 'with --url: the space (default main, or PROFFER_SPACE)')
    .option('--ca <file>', `with --url: ${CA}`)
    .option(
      '--data <folder>',
      'where the shared gateway and the pins are kept (default: the data folder of the user)',
    )
    .option('--gateway-port <number>', 'the port of the shared gateway, if this one starts it', portOption);
}
