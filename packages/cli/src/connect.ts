import { type Command, Option } from 'commander';
import { type Connection, createConnection } from './connection/connection.js';
import { DEFAULT_URL, type EndpointOptions, resolveEndpoint } from './connection/endpoint.js';
import type { Shell } from './terminal/shell.js';

/** Adds the options that every command has that talks to a gateway. */
export function withEndpoint(command: Command): Command {
  return command
    .option('--url <url>', `the gateway (default ${DEFAULT_URL}, or PROFFER_URL)`)
    .addOption(new Option('--gateway <url>', 'the same as --url').hideHelp())
    .option('--space <name>', 'the space (default main, or PROFFER_SPACE)')
    .option('--token <token>', 'who you are (or PROFFER_TOKEN)')
    .option('--as <name>', 'in dev mode: the participant to be, whose name is the token');
}

/** Adds the same, and the option that leads to the guards of this machine. */
export function withGuards(command: Command): Command {
  return withEndpoint(command).addOption(
    new Option(
      '--guard',
      'the gateway that the guards of this machine share, as whoever decides there',
    ).conflicts(['url', 'gateway', 'space', 'token', 'as']),
  );
}

/** A connection for a command. See {@link resolveEndpoint} for `role`. */
export function connect(options: EndpointOptions, shell: Shell, role: 'agent' | 'reviewer'): Connection {
  return createConnection(resolveEndpoint(options, shell.env, role), shell.name);
}

/** A signal that Ctrl-C and a request to end give, once; the next Ctrl-C ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
