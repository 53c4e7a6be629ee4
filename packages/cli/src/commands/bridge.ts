import { Bridge, createStdioBack, serverNameFrom } from '@proffer/mcp';
import type { Command } from 'commander';
import { usageFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { cannotStart } from '../guard/cannot-start.js';
import { enterPlace, type PlaceOptions } from '../guard/place.js';
import { withPlace } from '../guard/place-options.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { stopSignal } from '../up/stop-signal.js';

interface BridgeCommandOptions extends PlaceOptions {
  readonly name?: string;
}

/** `proffer bridge -- COMMAND…`: an MCP server runs what is approved in a space. */
export function addBridge(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withPlace(
    program
      .command('bridge')
      .argument('[command...]', 'the command that starts the server, after --')
      .description('Let an MCP server run what is approved in a space'),
  )
    .addHelpText(
      'after',
      `
Example:
  ${shell.name} bridge --url http://127.0.0.1:7420 --token files \\
      -- npx -y @modelcontextprotocol/server-filesystem ~/notes`,
    )
    .action(async (command: readonly string[], options: BridgeCommandOptions) => {
      await bridge(command, options, shell);
      done(EXIT.done);
    });
}

async function bridge(
  command: readonly string[],
  options: BridgeCommandOptions,
  shell: Shell,
): Promise<void> {
  const [program, ...args] = command;
  if (program === undefined) {
    throw usageFailure('Which server? Its command comes after --.', [
      `${shell.name} bridge -- npx -y SERVER`,
    ]);
  }
  const stopped = stopSignal();
  const place = await enterPlace(options, options.name ?? serverNameFrom(command), shell);
  const { participant } = place;
  const log = (line: string): void => shell.tell(`proffer bridge: ${visible(line)}`);
  participant.on('error', (error) => log(error instanceof Error ? error.message : String(error)));
  try {
    const bridging = await start({ participant, program, args, log });
    shell.tell(
      `proffer bridge: ${visible(participant.name)} serves its ${bridging.lists.join(', ')} in ${visible(place.access.space)}. Ctrl-C stops it.`,
      `proffer bridge: to approve, in a terminal:  ${place.inbox}`,
    );
    await Promise.race([stopped, participant.closed]);
    await bridging.close();
  } finally {
    await participant.close();
    await place.close();
  }
}

async function start(options: {
  readonly participant: Parameters<typeof Bridge.start>[0]['participant'];
  readonly program: string;
  readonly args: readonly string[];
  readonly log: (line: string) => void;
}): Promise<Bridge> {
  const { participant, program, args, log } = options;
  try {
    return await Bridge.start({
      participant,
      openServer: () => createStdioBack({ command: program, args }),
      log,
    });
  } catch (error) {
    throw cannotStart(program, error);
  }
}
