import { resolve } from 'node:path';
import { checkAskingName, guardToken, noteGateway } from '@proffer/client/machine';
import { connect, type Participant, RefusedError } from '@proffer/client/participation';
import { defined } from '@proffer/core/json';
import {
  type Contender,
  createCallJournal,
  createProposalArchive,
  type GatewayAccess,
  isHeldForAnother,
} from '@proffer/mcp';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';
import { consoleAddress, trustedFile, whereOptions, withOneUrl } from '../connection/endpoint.js';
import { parseGatewayUrl } from '../connection/gateway-address.js';
import { type Shell, shellWord } from '../terminal/shell.js';
import { type MachineFolder, machineFolderPath, openMachineFolder } from './machine-folder.js';
import { joinSharedGateway } from './shared-gateway.js';
import { signInLink } from './sign-in-link.js';

/** Options of the commands that connect an MCP server to a space. */
export interface JoinSpaceOptions {
  readonly url?: string;
  /** Another name for `url`. */
  readonly gateway?: string;
  readonly token?: string;
  readonly space?: string;
  /** A file with certificates to trust. */
  readonly ca?: string;
  readonly data?: string;
  readonly gatewayPort?: number;
}

/** A participant in a space, with its resources. */
export interface JoinedSpace {
  readonly participant: Participant;
  readonly access: GatewayAccess;
  readonly folder: MachineFolder;
  /** The command that opens the inbox. */
  readonly inbox: string;
  /** The address of the inbox in a browser; for the guards' own gateway it signs its reader in, once. */
  readonly link: () => string;
  /** Stops the gateway if it runs in this process. Close the participant first. */
  close(): Promise<void>;
}

/** The guarded or bridged server. */
interface Serving {
  readonly name: string;
  /** Distinguishes it from another of the same name. */
  readonly identity?: string;
}

/** How many instances of one server may run at once, each with its own name. */
const MAX_NAMES = 100;

/**
 * Enters a space under a name that nobody else serves under: at a given gateway with its token, or at the
 * guards' shared gateway.
 *
 * @param server - `name`: the preferred name, if the gateway does not decide it; a second instance gets
 * `NAME-2`; `identity`, for a guard: a name with leftovers of another server stays reserved for that server
 */
export async function joinSpace(
  asked: JoinSpaceOptions,
  server: Serving,
  shell: Shell,
): Promise<JoinedSpace> {
  checkGuardName(server.name);
  const options = withOneUrl(asked);
  const isOfGateway = [options.token, options.space, options.ca].some((given) => given !== undefined);
  if (options.url === undefined && isOfGateway) {
    throw usageFailure(
      '--token, --space and --ca belong to --url; without it, the gateway is the one that the guards on this machine share, which gives out tokens itself.',
    );
  }
  const folder = openMachineFolder(options.data ?? machineFolderPath(shell.env));
  if (options.url !== undefined) return await joinGiven(options, folder, shell);
  if ((shell.env['PROFFER_URL'] ?? '') !== '') {
    shell.tell(
      'PROFFER_URL is not used here: this joins the gateway that the guards on this machine share. Use --url to join another.',
    );
  }
  const { gatewayPort: port } = options;
  const shared = await joinSharedGateway(folder, defined({ port }));
  const accessAs = (candidate: string): GatewayAccess => {
    const token = (): string => guardToken(folder, candidate, Date.now());
    return { url: shared.url, space: 'main', token };
  };
  const claimed = await claimName(server, { accessAs, folder }).catch(async (error: unknown) => {
    // A gateway that is left open would keep the process alive.
    await shared.close();
    throw error;
  });
  claimed.participant.on('disconnected', () => void shared.takeOver());
  const own = machineFolderPath(shell.env);
  const forget =
    resolve(folder.path) === resolve(own)
      ? undefined
      : noteGateway(own, { url: shared.url, spaces: ['main'], folder: resolve(folder.path) });
  return {
    ...claimed,
    folder,
    inbox: inboxOf(options, { shell, folder, url: shared.url }),
    link: () => signInLink(folder.path, shared.url, shell.now()),
    async close() {
      forget?.();
      await shared.close();
    },
  };
}

/** The command that opens the inbox from another terminal, which may lack our environment variables. */
function inboxOf(
  { data }: JoinSpaceOptions,
  { shell, folder, url }: { readonly shell: Shell; readonly folder: MachineFolder; readonly url: string },
): string {
  const command = `${shell.name} inbox --watch`;
  if (data !== undefined)
    return `${command} --url ${url} --token "$(cat ${shellWord(resolve(folder.reviewerFile))})"`;
  const home = shell.env['PROFFER_HOME'] ?? '';
  return home === '' ? `${command} --guard` : `PROFFER_HOME=${shellWord(resolve(home))} ${command} --guard`;
}

async function joinGiven(
  options: JoinSpaceOptions,
  folder: MachineFolder,
  shell: Shell,
): Promise<JoinedSpace> {
  const { url, space: named } = parseGatewayUrl(options.url ?? '');
  const space = options.space ?? named ?? shell.env['PROFFER_SPACE'] ?? 'main';
  const token = options.token ?? shell.env['PROFFER_TOKEN'];
  if (token === undefined || token === '') throw usageFailure('--url needs --token (or PROFFER_TOKEN).');
  const ca = trustedFile(options.ca, shell.env);
  const access = { url, space, token, ...defined({ ca }) };
  const participant = await enterToServe(access);
  if (participant !== undefined) {
    const inbox = `${shell.name} inbox --watch${whereOptions({ url, space, given: defined({ ca: options.ca }) })}`;
    const link = (): string => consoleAddress(url, space);
    const forget = noteGateway(machineFolderPath(shell.env), { url, spaces: [space] });
    return { participant, access, folder, inbox, link, close: async () => forget() };
  }
  const message = 'The owner of this token already serves through another connection.';
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'already_serving',
    message,
    next: ['Use a token of its own for each guard and each bridge.'],
  });
}

async function claimName(
  { name: server, identity }: Serving,
  {
    accessAs,
    folder,
  }: {
    readonly accessAs: (candidate: string) => GatewayAccess;
    readonly folder: MachineFolder;
  },
) {
  const memory = await createCallJournal(folder.callJournal(server), {
    earlierFile: folder.deliveryFile(server),
  }).load();
  for (let number = 1; number <= MAX_NAMES; number++) {
    const name = number === 1 ? server : `${server}-${number}`;
    const access = accessAs(name);
    // Checked before entering: the owner of the name may arrive at the same time and must find it free, and a
    // participant that enters and leaves counts as present for a while.
    if (identity !== undefined && (await isHeld(access, name, { server, identity, memory }))) continue;
    const participant = await enterToServe(access);
    if (participant !== undefined) return { participant, access };
  }
  throw usageFailure(`${MAX_NAMES} guards for ${server} are already running. Stop one first.`);
}

async function isHeld(access: GatewayAccess, name: string, about: Omit<Contender, 'now'>): Promise<boolean> {
  try {
    return await isHeldForAnother(createProposalArchive(access), name, { ...about, now: Date.now() });
  } catch (error) {
    throw cannotEnter(access.url, error);
  }
}

async function enter({ url, space, token, ca }: GatewayAccess): Promise<Participant> {
  const trust = defined({ ca });
  const options = { url, space, token, ...trust, retry: { delay: 100, maxDelay: 2_000 } };
  try {
    return await connect(options);
  } catch (error) {
    throw cannotEnter(url, error);
  }
}

function cannotEnter(url: GatewayAccess['url'], error: unknown): CommandFailure {
  const message = `Cannot join ${String(url)}: ${error instanceof Error ? error.message : String(error)}`;
  return new CommandFailure({ exit: EXIT.unreachable, code: 'unreachable', message }, error);
}

/** Enters and claims the name for serving; `undefined` if another connection serves under it. */
async function enterToServe(access: GatewayAccess): Promise<Participant | undefined> {
  const participant = await enter(access);
  try {
    await participant.claim();
    return participant;
  } catch (error) {
    await participant.close();
    if (error instanceof RefusedError && error.code === 'already_serving') return undefined;
    throw error;
  }
}

/** Fails for an invalid server name. */
function checkGuardName(name: string): void {
  const found = checkAskingName(name);
  if (found === 'malformed')
    throw usageFailure(
      `--name ${JSON.stringify(name)} is not a valid name: use at most 64 letters, digits and . _ -, starting with a letter, a digit or _.`,
    );
  if (found === 'reserved')
    throw usageFailure(`${name} is the name of a reviewer; give the server another name.`, ['--name NAME']);
}
