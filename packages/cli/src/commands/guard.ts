import { setFlagsFromString } from 'node:v8';
import type { StdioBack } from '@proffer/mcp/stdio';
import { type Command, Option } from 'commander';
import type { GuardCommandOptions } from '../actions/guard.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { withPlace } from '../guard/place-options.js';
import { collect, durationOption, portOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer guard -- COMMAND…`: approval in front of an MCP server, with neither it nor its client changed. */
export function addGuard(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withPlace(
    program
      .command('guard')
      .passThroughOptions()
      .argument(
        '[command...]',
        'the command that starts the server, with its own options; -- before it is optional',
      )
      .description('Put approval in front of an MCP server')
      .option('--http <port>', 'serve clients over Streamable HTTP on this machine, not stdio', portOption)
      .option(
        '--http-token <token>',
        'with --http: the bearer token that a client must send, or NAME:TOKEN to show the name; may be repeated, one per client',
        collect,
      )
      .option('--server-url <url>', 'a server reached over Streamable HTTP or HTTP+SSE, instead of a command')
      .option('--header <name=value>', 'with --server-url: a header to send; may be repeated', collect)
      .option(
        '--forward-authorization',
        'with --http and --server-url: pass the Authorization of clients on to the server, and its 401 back, for OAuth',
      )
      .option(
        '--rules <file>',
        'the rules: what is allowed, asked or denied; reloaded on change (default: allow read-only tools)',
      )
      .option('--ttl <duration>', 'how long a call may wait for a decision (default 1h)', durationOption)
      .option(
        '--hold <duration>',
        'how long a client is kept waiting before it is told to call proffer_wait (default 50s)',
        durationOption,
      )
      .option(
        '--window <duration>',
        'how long a disconnected caller may come back (default 2m)',
        durationOption,
      )
      .option('--open', 'open the inbox in the browser when the first call is held (or PROFFER_OPEN=1)')
      .option('--no-open', 'do not open it, even if PROFFER_OPEN is set')
      .addOption(
        new Option('--record <which>', 'which decisions of the rules go into the history')
          .choices(['all', 'denials'])
          .default('all'),
      )
      .option('--hide-rules', 'do not show the rules to the space, nor in the console'),
  )
    .addHelpText(
      'after',
      `
Example, as the command of an MCP client:
  ${shell.name} guard -- npx -y @modelcontextprotocol/server-filesystem ~/notes

MCP uses the standard output. The address of the inbox is printed on the
standard error.`,
    )
    .action(async (command: readonly string[], options: GuardCommandOptions) => {
      // A guard waits most of its life, and there is one for each server of each client: memory counts more than speed.
      setFlagsFromString('--optimize-for-size');
      const early = await startEarly(command, options);
      try {
        await (await import('../actions/guard.js')).guard(command, options, { shell, early });
      } finally {
        await early?.close();
      }
      done(EXIT.done);
    });
}

/** Starts a server that speaks over stdio at once: it gets ready while the guard is loaded and enters its space. */
async function startEarly(
  [command, ...args]: readonly string[],
  { http, serverUrl }: GuardCommandOptions,
): Promise<StdioBack | undefined> {
  if (command === undefined || http !== undefined || serverUrl !== undefined) return undefined;
  const { createStdioBack } = await import('@proffer/mcp/stdio');
  const server = createStdioBack({ command, args });
  server.start();
  return server;
}
