import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { GUARDS_ISSUER, KEY_FILE, readIfThere, replaceFile, signedToken } from '@proffer/client/machine';
import { digestJson } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { ParsedConfig } from '@proffer/gateway';
import { createToken } from '@proffer/gateway/token';
import { makeFolder } from '@proffer/journal';
import type { ServerSource } from '@proffer/mcp';
import { CommandFailure, EXIT } from '../command-failure.js';
import { guardsFolder, PORT_FILE, REVIEWER_FILE, STEWARD_FILE } from '../connection/guards-folder.js';
import type { Environment } from '../terminal/shell.js';

/** What the guards of one user on one machine share: a journal, credentials, and the gateway's port. */
export interface MachineFolder {
  readonly path: string;
  readonly journal: string;
  /** The file with the reviewer's token. */
  readonly reviewerFile: string;
  readonly reviewerToken: string;
  /** The steward's, so that the history shows whether rules or people decided. */
  readonly stewardToken: string;
  /** The key that the guards' own tokens are signed with, as base64url. */
  readonly key: string;
  /** Where the pins of a server's tools are. */
  pinFile(server: string, source: Pick<ServerSource, 'program'>): PinPlace;
  /** The journal of what a server's guards must remember about their calls after a crash. */
  callJournal(server: string): string;
  /** The file that earlier versions used for that. */
  deliveryFile(server: string): string;
  /** The last port of the gateway; `undefined` if it never ran. */
  readPort(): number | undefined;
  writePort(port: number): void;
}

/** Two servers of one name that are started by different programs have two pin files. */
export interface PinPlace {
  readonly file: string;
  /** The pin files of this name: a new one starts with their pins. */
  readonly known: readonly string[];
}

/** The default folder: `guard` in PROFFER_HOME, else in the user's data folder. */
export function machineFolderPath(env: Environment): string {
  return guardsFolder(env);
}

/**
 * Opens the folder and creates what is missing, readable only by its owner.
 *
 * @throws CommandFailure for a folder that cannot be created, read or written
 */
export function openMachineFolder(path: string): MachineFolder {
  const reviewerFile = join(path, REVIEWER_FILE);
  const portFile = join(path, PORT_FILE);
  return {
    path,
    journal: join(path, 'journal'),
    reviewerFile,
    ...secretsIn(path, reviewerFile),
    pinFile: (server, source) => pinFileIn(join(path, 'pins'), server, source),
    callJournal: (server) => join(path, 'calls', server),
    deliveryFile: (server) => join(path, 'delivered', `${server}.txt`),
    readPort() {
      const port = Number(readIfThere(portFile)?.trim() ?? Number.NaN);
      return Number.isInteger(port) ? port : undefined;
    },
    writePort(port) {
      replaceFile(portFile, `${port}\n`);
    },
  };
}

/** Digits that distinguish programs in the name of a file. */
const PROGRAM_DIGITS = 12;
const PROGRAM_FILE = /^\.[0-9a-f]{12}\.json$/;

/**
 * A new program under a known name may be another server, or one that took the place of the trusted one. So it starts with
 * what is trusted under that name, and is asked about whatever it shows differently. Earlier versions had one file for a
 * name, `NAME.json`; it comes first, because later files replace its pins.
 */
function pinFileIn(folder: string, server: string, { program }: Pick<ServerSource, 'program'>): PinPlace {
  const digest = digestJson({ program })
    .replace(/^sha256:/, '')
    .slice(0, PROGRAM_DIGITS);
  const earlier = `${server}.json`;
  const isOfProgram = (name: string): boolean =>
    name.startsWith(`${server}.`) && PROGRAM_FILE.test(name.slice(server.length));
  const ofPrograms = readdirSync(folder).filter(isOfProgram).sort();
  return {
    file: join(folder, `${server}.${digest}.json`),
    known: [earlier, ...ofPrograms].map((name) => join(folder, name)),
  };
}

type Secrets = Pick<MachineFolder, 'reviewerToken' | 'stewardToken' | 'key'>;

function secretsIn(path: string, reviewerFile: string): Secrets {
  try {
    makeFolder(join(path, 'pins'));
    return {
      reviewerToken: secretIn(reviewerFile, () => createToken().token),
      stewardToken: secretIn(join(path, STEWARD_FILE), () => createToken().token),
      key: secretIn(join(path, KEY_FILE), () => randomBytes(32).toString('base64url')),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The guards' folder, ${path}, cannot be used: ${why}.`;
    const next = [
      '--data FOLDER   # a folder that you can write to',
      'PROFFER_HOME=FOLDER   # the same for every command, so that --guard finds it',
    ];
    throw new CommandFailure({ exit: EXIT.refused, code: 'unusable_folder', message, next }, error);
  }
}

/** What participants of the guards' shared gateway may do. */
export interface GuardsCapabilities {
  readonly guard: readonly string[];
  readonly steward: readonly string[];
}

/** In the guards' folder: how people are notified, as under `notify` in a configuration. */
const NOTIFY_FILE = 'notify.yaml';

/**
 * The configuration of the guards' shared gateway: on this machine only, and closed to everyone else.
 * Notifications are configured in a file next to it, if there is one. Without that file the configuration is
 * plain data, so no YAML parser is loaded.
 */
function embeddedConfig(folder: MachineFolder, capabilities: GuardsCapabilities): string | JsonObject {
  const own = ownConfig(folder, capabilities);
  const notify = readNotify(folder.path);
  if (notify === '') return own;
  const written = Object.entries(own).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${written.join('\n')}\n${notify}\n`;
}

/** The notification settings in the guards' folder; empty if there are none. */
export function readNotify(folder: string): string {
  return readIfThere(join(folder, NOTIFY_FILE))?.trim() ?? '';
}

function ownConfig(folder: MachineFolder, { guard, steward }: GuardsCapabilities): JsonObject {
  return {
    listen: { grpc: 'off' },
    // No proxy sends requests here, and another guard is waiting to take over.
    shutdown: { not_ready_for: 0 },
    journal: { backend: 'local', path: folder.journal },
    spaces: { main: {} },
    capabilities: { guard },
    participants: {
      reviewer: { tokens: [hashOf(folder.reviewerToken)], spaces: { main: ['*'] } },
      steward: { tokens: [hashOf(folder.stewardToken)], spaces: { main: steward } },
    },
    jwt: {
      issuer: GUARDS_ISSUER,
      audience: GUARDS_ISSUER,
      jwks: { keys: [{ kty: 'oct', k: folder.key }] },
      // Guards and devices are not listed: each has a signed token for the name that it takes.
      unlisted_subjects: {
        claims: [
          { claim: 'role', has: 'guard', spaces: { main: 'guard' }, runs_own_calls: true },
          { claim: 'role', has: 'device', spaces: { main: REVIEWING }, review_only: true },
        ],
      },
    },
  };
}

/** A token for someone who may only read and review, valid for a day. */
export function reviewToken({ key }: Pick<MachineFolder, 'key'>, name: string, now: number): string {
  return signedToken(key, name, { now, role: 'device' });
}

/**
 * The capabilities for approving, rejecting and commenting; reading needs none. Approving needs the right to
 * the request that would run, which `review_only` limits to requests that approve a proposal.
 */
const REVIEWING = [
  'mcp.request.*',
  'mcpx.approve.proposal',
  'mcpx.counter.proposal',
  'mcpx.reject.proposal',
  'mcpx.status.proposal',
];

function hashOf(token: string): string {
  return `sha256:${createHash('sha256').update(token).digest('hex')}`;
}

/**
 * The secret in a file, created the first time. If two processes create it at once, both get the first one's.
 */
function secretIn(file: string, make: () => string): string {
  const there = readIfThere(file)?.trim();
  if (there !== undefined) return there;
  createOnce(file, `${make()}\n`);
  return readFileSync(file, 'utf8').trim();
}

/** Creates a file with its whole content, unless it is there: of several processes, the first one does. */
function createOnce(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The user who started the client, and thus this process, if the system knows. */
export function userHere(): { readonly user?: string } {
  try {
    const { username } = userInfo();
    return username === '' ? {} : { user: username };
  } catch {
    return {};
  }
}

/** The configuration of the guards' shared gateway, with the notifications of `notify.yaml`, or its problems. */
export async function readGuardsConfig(folder: MachineFolder): Promise<ParsedConfig> {
  // Loaded only by what needs it: it takes a good part of a guard's startup time.
  const { GUARD_CAPABILITIES, parseConfig, STEWARD_CAPABILITIES } = await import('@proffer/gateway/config');
  const { CHANNEL_TYPES } = await import('@proffer/notify');
  const written = embeddedConfig(folder, { guard: GUARD_CAPABILITIES, steward: STEWARD_CAPABILITIES });
  return parseConfig(written, { file: folder.path, channelTypes: CHANNEL_TYPES });
}
