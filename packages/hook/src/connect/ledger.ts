import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  parseJson,
  textsIn,
} from '@proffer/core/json';
import { makeFolder } from '@proffer/journal';
import { versionOf } from '../settings/index.js';
import { PROGRAM_IDS, type ProgramId, type ServerKeys } from './programs.js';
import type { SettingsFiles } from './settings-files.js';

/** A server that was put behind a guard. */
export interface ConnectedServer {
  readonly keys: ServerKeys;
  readonly hadArguments: boolean;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** A settings file that was changed, and how it was before. */
export interface ConnectedFile {
  readonly path: string;
  readonly program: ProgramId;
  /** When the hook was added, in milliseconds since 1970; absent if it was not. */
  readonly hookSince?: number;
  readonly servers: readonly ConnectedServer[];
  /** The hash of the file before; absent if there was none. */
  readonly before?: string;
  /** The hash of the file with the change. */
  readonly after: string;
  /** The folders that were made for it. */
  readonly folders: readonly string[];
}

/** What was connected, and the files as they were before. */
export interface Ledger {
  /** The agent's own folder. */
  readonly folder: string;
  readonly files: readonly ConnectedFile[];
}

/** A ledger that cannot be understood. */
export class UnreadableLedgerError extends Error {
  override readonly name = 'UnreadableLedgerError';
}

/**
 * The ledger in the guards' folder; empty if nothing was connected.
 *
 * @throws UnreadableLedgerError
 */
export function readLedger(guardsFolder: string): Ledger {
  const path = ledgerPath(guardsFolder);
  const folder = dirname(path);
  const text = readIfThere(path)?.toString('utf8');
  if (text === undefined) return { folder, files: [] };
  const parsed = parseJson(text);
  const files = parsed.ok && isJsonObject(parsed.value) ? filesIn(parsed.value) : undefined;
  if (files === undefined)
    throw new UnreadableLedgerError(`${path} is damaged, or was written by a newer version of Proffer.`);
  return { folder, files };
}

const LEDGER = 'connected.json';

/** Where the ledger is, in the guards' folder. */
function ledgerPath(guardsFolder: string): string {
  return join(guardsFolder, 'connect', LEDGER);
}

const VERSION = 1;

/** Replaces what is stored about one file; nothing removes it. */
export function storeFile(
  { folder, files }: Ledger,
  path: string,
  entry: ConnectedFile | undefined,
  disk: SettingsFiles,
): Ledger {
  const rest = files.filter((one) => one.path !== path);
  const ledger = { folder, files: entry === undefined ? rest : [...rest, entry] };
  const text = `${JSON.stringify({ version: VERSION, files: ledger.files }, undefined, 2)}\n`;
  makeFolder(folder);
  disk.replace(join(folder, LEDGER), Buffer.from(text), 0o600);
  return ledger;
}

/** Where the earlier content of a file is kept. Its name says which content it is. */
export function backupPath({ folder }: Ledger, path: string, before: string): string {
  return join(folder, `${basename(path)}.${hashOf(Buffer.from(path)).slice(0, 8)}.${before.slice(0, 16)}`);
}

/** The earlier content of a file; `undefined` if it is not there any more, or is not what it was. */
export function readBackup(ledger: Ledger, { path, before }: ConnectedFile): Buffer | undefined {
  if (before === undefined) return undefined;
  const content = readIfThere(backupPath(ledger, path, before));
  return content !== undefined && hashOf(content) === before ? content : undefined;
}

/** The hash of a file's content. */
export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function filesIn({ version, files }: JsonObject): readonly ConnectedFile[] | undefined {
  if (version !== VERSION) return undefined;
  const found = listOf(files).map(fileIn);
  return found.includes(undefined) ? undefined : found.filter((file) => file !== undefined);
}

function fileIn(value: JsonValue): ConnectedFile | undefined {
  if (!isJsonObject(value)) return undefined;
  const { path, program: name, hookSince, before, after } = value;
  const program = PROGRAM_IDS.find((id) => id === name);
  if (typeof path !== 'string' || program === undefined || typeof after !== 'string') return undefined;
  return {
    path,
    program,
    ...(typeof hookSince === 'number' ? { hookSince } : {}),
    servers: listOf(value['servers']).flatMap((server) => {
      if (!isJsonObject(server)) return [];
      const { hadArguments, since } = server;
      const keys = textsIn(server['keys']);
      return [{ keys, hadArguments: hadArguments === true, since: typeof since === 'number' ? since : 0 }];
    }),
    ...(typeof before === 'string' ? { before } : {}),
    after,
    folders: textsIn(value['folders']),
  };
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The settings files that are connected now: an agent that edits them could take its guards out. The ledger is read again
 * when it has changed.
 *
 * @param folder - the guards' folder
 */
export function createConnectedPaths(folder: string): () => readonly string[] {
  const file = ledgerPath(folder);
  let version: string | undefined;
  let paths: readonly string[] = [];
  return () => {
    const now = versionOf(file);
    if (now !== version) {
      paths = pathsIn(folder);
      version = now;
    }
    return paths;
  };
}

function pathsIn(folder: string): readonly string[] {
  try {
    return readLedger(folder).files.map(({ path }) => path);
  } catch (error) {
    // `connect` and `status` report it; calls are decided all the same.
    if (error instanceof UnreadableLedgerError) return [];
    throw error;
  }
}
