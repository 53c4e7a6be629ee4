import { type Command, Option } from 'commander';
import { CA } from '../connection/endpoint-options.js';
import { portOption } from '../option-values.js';

/** Adds the options that say which space a server is put into. */
export function withPlace(command: Command): Command {
  return command
    .option('--name <name>', 'the name of the server, for people and rules (default: from the command)')
    .option('--url <url>', 'an existing gateway (default: the one that the guards of this machine share)')
    .addOption(new Option('--gateway <url>', 'the same as --url').hideHelp())
    .option('--token <token>', 'with --url: the token to connect with (or PROFFER_TOKEN)')
    .option('--space <name>', 'with --url: the space (default main, or PROFFER_SPACE)')
    .option('--ca <file>', `with --url: ${CA}`)
    .option(
      '--data <folder>',
      'where the shared gateway and the pins are kept (default: the data folder of the user)',
    )
    .option('--gateway-port <number>', 'the port of the shared gateway, if this one starts it', portOption);
}
