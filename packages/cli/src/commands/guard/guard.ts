import { setFlagsFromString } from 'node:v8';
import type { StartupProxy } from '@proffer/mcp/stdio';
import { Option } from 'commander';
import type { GuardCommandOptions } from '../../actions/guard.js';
import { CommandFailure, type Failure } from '../../command-failure.js';
import type { AddCommands } from '../../command-families.js';
import { collect, durationOption, portOption, withPlace } from '../../command-options.js';
import { printFailure } from '../../terminal/print-failure.js';
import { type Shell, stopSignal } from '../../terminal/shell.js';

/** `proffer guard -- COMMAND…`: approval in front of an MCP server, without changes to server or client. */
export const addGuard: AddCommands = (program, shell, done) => {
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
        'the rules: what to allow, ask about or deny; reloaded on change (default: allow read-only tools)',
      )
      .option(
        '--known-as <name>',
        "the server's name in the client's settings; the client's hook then leaves the calls to this guard (connect sets it)",
      )
      .option('--watch', 'ask nobody: pass every call on, and record what you would have been asked')
      .option('--ttl <duration>', 'how long a call may wait for a decision (default 1h)', durationOption)
      .option(
        '--hold <duration>',
        'how long a client is kept waiting before it is told to call proffer_wait (default 50s)',
        durationOption,
      )
      .option(
        '--window <duration>',
        'how long a disconnected caller has to reconnect (default 2m)',
        durationOption,
      )
      .option('--open', 'open the inbox in the browser when the first call is held (or PROFFER_OPEN=1)')
      .option(
        '--share [address]',
        'let phones on this network review calls; the inbox in the browser shows the code to scan',
      )
      .option('--no-open', 'do not open the inbox, even if PROFFER_OPEN is set')
      .addOption(
        new Option('--record <which>', 'which decisions by rules go into the history')
          .choices(['all', 'denials'])
          .default('all'),
      )
      .option('--hide-rules', 'do not show the rules to the space or in the console'),
  )
    .addHelpText(
      'after',
      `
Example, as the command of an MCP client:
  ${shell.name} guard -- npx -y @modelcontextprotocol/server-filesystem ~/notes

MCP uses standard output. The address of the inbox is printed to standard
error.`,
    )
    .action(async (command: readonly string[], options: GuardCommandOptions) => {
      preferSmallMemory();
      const stopped = stopSignal();
      const startup = await startServer(command, options, shell);
      try {
        if (startup !== undefined && !(await Promise.race([startup.wanted, stopped.then(() => false)])))
          return;
        const { guard } = await import('../../actions/guard.js');
        await guard(command, options, { shell, stopped, startup });
      } catch (error) {
        if (!(error instanceof CommandFailure) || startup?.isServing !== true) throw error;
        // The client carries on, so its next call has to explain what is wrong.
        printFailure(error.failure, shell);
        if (await isWatching(options, shell)) {
          // Whoever only watches is not in the client's way (O-50).
          shell.tell(
            'proffer guard: Watch mode: calls pass as they would without a guard. They are not recorded.',
          );
          const { passOn } = await import('@proffer/mcp/stdio');
          await Promise.race([passOn(startup), stopped]);
          return done(error.failure.exit);
        }
        await Promise.race([startup.fail(whyNothingRuns(error.failure)), stopped]);
        done(error.failure.exit);
      } finally {
        await startup?.close();
      }
    });
};

/**
 * Starts a stdio server at once, and lets the client perform its handshake while the guard is loaded and
 * enters its space. Loads as little as possible.
 */
async function startServer(
  [command, ...args]: readonly string[],
  { http, serverUrl }: GuardCommandOptions,
  { stdin, stdout }: Shell,
): Promise<StartupProxy | undefined> {
  if (command === undefined || http !== undefined || serverUrl !== undefined) return undefined;
  const { createStartupProxy, createUpstreamStdio, createClientStdio } = await import('@proffer/mcp/stdio');
  return createStartupProxy(createClientStdio(stdin, stdout), createUpstreamStdio({ command, args }));
}

async function isWatching({ watch, data }: GuardCommandOptions, { env }: Shell): Promise<boolean> {
  if (watch === true) return true;
  const { guardsFolder, watchingSince } = await import('@proffer/client/machine');
  return watchingSince(data ?? guardsFolder(env)) !== undefined;
}

function whyNothingRuns({ message, next = [] }: Failure): string {
  return [`Nothing was run: the guard could not start. ${message}`, ...next].join('\n');
}

/**
 * A guard is mostly idle, and there is one for each server of each client, so memory matters more than speed. New
 * objects are short-lived, so the young generation need not grow. Neither makes a call slower.
 */
function preferSmallMemory(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}
