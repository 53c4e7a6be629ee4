import type { BridgeCommandOptions } from '../../actions/bridge.js';
import type { AddCommands } from '../../command-families.js';
import { collect, withPlace } from '../../command-options.js';

/** `proffer bridge -- COMMAND…`: lets an MCP server run approved calls of a space. */
export const addBridge: AddCommands = (program, shell) => {
  withPlace(
    program
      .command('bridge')
      .passThroughOptions()
      .argument(
        '[command...]',
        'the command that starts the server, with its own options; -- before it is optional',
      )
      .description('Run an MCP server as a participant that executes approved calls')
      .option('--server-url <url>', 'a server reached over Streamable HTTP or HTTP+SSE, instead of a command')
      .option('--header <name=value>', 'with --server-url: a header to send; may be repeated', collect)
      .option('--trust-hints', 'announce what the server says about its tools, such as readOnlyHint'),
  )
    .addHelpText(
      'after',
      `
Example:
  ${shell.name} bridge --url http://127.0.0.1:7420 --token files \\
      -- npx -y @modelcontextprotocol/server-filesystem ~/notes`,
    )
    .action(
      async (command: readonly string[], options: BridgeCommandOptions) =>
        await (await import('../../actions/bridge.js')).bridge(command, options, shell),
    );
};
