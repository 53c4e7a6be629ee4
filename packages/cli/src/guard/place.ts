import { type ConnectOptions, connect, type Participant, RefusedError } from '@proffer/client';
import type { GatewayAccess } from '@proffer/mcp';
import { destination, pino } from 'pino';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';
import { checkGuardName } from './guard-name.js';
import { guardToken, type MachineFolder, machineFolderPath, openMachineFolder } from './machine-folder.js';
import { joinSharedGateway } from './shared-gateway.js';

/** Options of the commands that put an MCP server into a space. */
export interface PlaceOptions {
  readonly gateway?: string;
  readonly token?: string;
  readonly space?: string;
  readonly data?: string;
  readonly gatewayPort?: number;
}

/** A participant in a space, and what it takes to be there. */
export interface Place {
  readonly participant: Participant;
  readonly access: GatewayAccess;
  readonly folder: MachineFolder;
  /** How somebody gets to the inbox, as a command. */
  readonly inbox: string;
  /** Ends the gateway, if it runs in this process. The participant is closed before. */
  close(): Promise<void>;
}

/** How many of the same server may run at once under names of their own. */
const MOST_NAMES = 100;

/**
 * Enters a space under a name that nobody else serves under: a gateway that runs already, with its
 * token, or the one that the guards of this machine share.
 *
 * @param name - the name to have, where the gateway does not decide it; a second one gets `NAME-2`
 */
export async function enterPlace(options: PlaceOptions, name: string, shell: Shell): Promise<Place> {
  checkGuardName(name);
  const isOfGateway = options.token !== undefined || options.space !== undefined;
  if (options.gateway === undefined && isOfGateway) {
    throw usageFailure(
      '--token and --space belong to --gateway; without it the guards have a gateway of their own.',
    );
  }
  const folder = openMachineFolder(options.data ?? machineFolderPath(shell.env));
  if (options.gateway !== undefined) return await enterGiven(options, folder, shell);
  const log = pino({ level: 'warn' }, destination(2));
  const { gatewayPort: port } = options;
  const shared = await joinSharedGateway(folder, { log, ...(port === undefined ? {} : { port }) });
  const claimed = await claimName(name, (candidate) => {
    const token = (): string => guardToken(folder, candidate, Date.now());
    return { url: shared.url, space: 'main', token };
  }).catch(async (error: unknown) => {
    // A gateway that is left open would keep the process alive.
    await shared.close();
    throw error;
  });
  claimed.participant.on('disconnected', () => void shared.takeOver());
  return {
    ...claimed,
    folder,
    inbox: `${shell.name} inbox --watch --url ${shared.url} --token "$(cat '${folder.reviewerFile}')"`,
    close: () => shared.close(),
  };
}

async function enterGiven(options: PlaceOptions, folder: MachineFolder, shell: Shell): Promise<Place> {
  const { gateway: url = '', space = shell.env['PROFFER_SPACE'] ?? 'main' } = options;
  const token = options.token ?? shell.env['PROFFER_TOKEN'];
  if (token === undefined || token === '') throw usageFailure('--gateway needs --token (or PROFFER_TOKEN).');
  const access = { url, space, token };
  const participant = await enter(access);
  if (await serves(participant)) {
    const inbox = `${shell.name} inbox --watch --url ${url}${space === 'main' ? '' : ` --space ${space}`}`;
    return { participant, access, folder, inbox, close: async () => {} };
  }
  await participant.close();
  const message = `${participant.name} serves through another connection already.`;
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'already_serving',
    message,
    next: ['Use a token of its own for each guard.'],
  });
}

async function claimName(name: string, accessAs: (candidate: string) => GatewayAccess) {
  for (let number = 1; number <= MOST_NAMES; number++) {
    const access = accessAs(number === 1 ? name : `${name}-${number}`);
    const participant = await enter(access);
    if (await serves(participant)) return { participant, access };
    await participant.close();
  }
  throw usageFailure(`${MOST_NAMES} guards of ${name} run already.`);
}

async function enter({ url, space, token }: GatewayAccess): Promise<Participant> {
  const options: ConnectOptions = { url, space, token, retry: { delay: 100, maxDelay: 2_000 } };
  try {
    return await connect(options);
  } catch (error) {
    const message = `${url} cannot be entered: ${error instanceof Error ? error.message : String(error)}`;
    throw new CommandFailure({ exit: EXIT.unreachable, code: 'unreachable', message }, error);
  }
}

/** Begins to serve, with nothing yet; false if another connection does under this name. */
async function serves(participant: Participant): Promise<boolean> {
  try {
    await participant.serve([]);
    return true;
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'already_serving') return false;
    throw error;
  }
}
