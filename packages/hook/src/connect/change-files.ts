import { defined } from '@proffer/core/json';
import { makeFolder } from '@proffer/journal';
import type { AgentId, HookEntry } from '../agents/index.js';
import { lineDiff } from '../install/index.js';
import { NotAnObjectError, readSettings, UnreadableTextError } from '../settings/index.js';
import { connectText, disconnectText, hasArgumentsAt, isGuardedAt, isSame } from './connect-text.js';
import { backupPath, type ConnectedFile, hashOf, type Ledger, readBackup, storeFile } from './ledger.js';
import { formatOf, PROGRAMS, type ProgramId } from './programs.js';
import type { GuardWords } from './server-command.js';
import {
  draftOf,
  type FoundFile,
  missingFolders,
  readSettingsFile,
  type SettingsFiles,
} from './settings-files.js';
import type { FoundItem } from './survey.js';

/** One settings file, before it is changed. */
export interface FileChange {
  readonly path: string;
  readonly program: ProgramId;
  /** The file as it is; absent if there is none. */
  readonly current?: Buffer;
  /** The file as it will be; absent if it is to be removed. */
  readonly next?: Buffer;
  /** The file without anything of Proffer; absent if there was none. */
  readonly original?: Buffer;
  readonly mode: number;
  /** What will be known about it; absent if nothing of Proffer is left in it. */
  readonly entry?: ConnectedFile;
  /** Lines for people. */
  readonly diff: readonly string[];
  /** Whether somebody changed the file after it was connected. */
  readonly isMerged: boolean;
}

/** A file that is left as it is. */
export interface LeftAlone {
  readonly path: string;
  readonly program: ProgramId;
  readonly why: string;
  /** Where its earlier content is. */
  readonly backup?: string;
}

export interface AgentConnectOptions {
  readonly ledger: Ledger;
  readonly entriesFor: (agent: AgentId) => readonly HookEntry[];
  readonly guardFor: (server: string) => GuardWords;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What connecting items does to each file; nothing is changed yet. */
export function planConnect(
  items: readonly FoundItem[],
  options: AgentConnectOptions,
): readonly FileChange[] {
  return [...new Set(items.map(({ path }) => path))].map((path) =>
    planFile(
      path,
      items.filter((item) => item.path === path),
      options,
    ),
  );
}

function planFile(
  path: string,
  items: readonly FoundItem[],
  { ledger, entriesFor, guardFor, now }: AgentConnectOptions,
): FileChange {
  const program = PROGRAMS[items[0]?.program ?? 'claude-code'];
  const found = readSettingsFile(path);
  const known = ledger.files.find((file) => file.path === path);
  const current = found.type === 'file' ? found.content : undefined;
  const original = known === undefined ? current : originalOf(known, found, ledger);
  const text = original?.toString('utf8') ?? '';
  const settings = readSettings(text, formatOf(path));
  const present = readSettings(current?.toString('utf8') ?? '', formatOf(path));
  // What was connected before stays connected, unless somebody took it out.
  const still = (known?.servers ?? []).filter(
    ({ keys }) => isGuardedAt(present, keys) && !isGuardedAt(settings, keys),
  );
  const added = items.flatMap(({ keys }) => (keys === undefined ? [] : [keys]));
  const servers = [
    ...still,
    ...added
      .filter((keys) => !still.some((one) => isSame(one.keys, keys)))
      .map((keys) => ({ keys, hadArguments: hasArgumentsAt(settings, keys), since: now })),
  ];
  const hookSince = known?.hookSince ?? (items.some(({ kind }) => kind === 'hook') ? now : undefined);
  const next = Buffer.from(
    connectText(path, text, {
      ...(hookSince === undefined || program.agent === undefined
        ? {}
        : { hook: { agent: program.agent, entries: entriesFor(program.agent) } }),
      servers: servers.map(({ keys }) => ({ keys, guard: guardFor(keys.at(-1) ?? '') })),
    }),
  );
  return {
    path,
    program: program.id,
    ...defined({ current, original }),
    next,
    mode: found.type === 'file' ? found.mode : 0o600,
    entry: {
      path,
      program: program.id,
      ...defined({ hookSince }),
      servers,
      ...(original === undefined ? {} : { before: hashOf(original) }),
      after: hashOf(next),
      folders: known?.folders ?? missingFolders(path),
    },
    diff: lineDiff(current?.toString('utf8') ?? '', next.toString('utf8')),
    isMerged: false,
  };
}

/** What disconnecting does to each file that was connected; nothing is changed yet. */
export function planDisconnect(
  ledger: Ledger,
  isWanted: (file: ConnectedFile) => boolean,
): readonly (FileChange | LeftAlone)[] {
  return ledger.files.filter(isWanted).map((known) => planBack(known, ledger));
}

function planBack(known: ConnectedFile, ledger: Ledger): FileChange | LeftAlone {
  const { path, program } = known;
  const found = readSettingsFile(path);
  const backup = known.before === undefined ? {} : { backup: backupPath(ledger, path, known.before) };
  if (found.type === 'unusable') return { path, program, why: found.why, ...backup };
  try {
    const original = originalOf(known, found, ledger);
    const current = found.type === 'file' ? found.content : undefined;
    return {
      path,
      program,
      ...defined({ current }),
      ...(original === undefined ? {} : { next: original, original }),
      mode: found.type === 'file' ? found.mode : 0o600,
      diff: lineDiff(current?.toString('utf8') ?? '', original?.toString('utf8') ?? ''),
      isMerged:
        current === undefined
          ? known.before !== undefined
          : ![known.after, known.before].includes(hashOf(current)),
    };
  } catch (error) {
    if (!(error instanceof UnreadableTextError || error instanceof NotAnObjectError)) throw error;
    return { path, program, why: `it was changed, and cannot be read: ${error.message}`, ...backup };
  }
}

/** A connected file without anything of Proffer: byte for byte as it was, or as it was with what others changed since. */
function originalOf(known: ConnectedFile, found: FoundFile, ledger: Ledger): Buffer | undefined {
  // Somebody removed it: it stays away.
  if (found.type !== 'file') return undefined;
  const now = hashOf(found.content);
  if (now === known.before) return found.content;
  const backup = readBackup(ledger, known);
  if (now === known.after && (backup !== undefined || known.before === undefined)) return backup;
  const text = disconnectText(known, found.content.toString('utf8'), backup?.toString('utf8') ?? '');
  const isOurs = known.before === undefined;
  const left = isOurs ? Object.keys(readSettings(text, formatOf(known.path))) : [];
  return isOurs && left.every((key) => key === 'version') ? undefined : Buffer.from(text);
}

/** A file that somebody else changed between the plan and the change. */
export class ChangedMeanwhileError extends Error {
  override readonly name = 'ChangedMeanwhileError';
}

/**
 * Makes a change. Whatever is interrupted here is completed by the next connect or disconnect: the earlier content and
 * what is about to change are on disk before the file is touched, and are forgotten after it is back.
 *
 * @throws ChangedMeanwhileError if the file is not as it was planned with; it is then left alone
 */
export function makeFileChange(change: FileChange, ledger: Ledger, disk: SettingsFiles): Ledger {
  const { path, current, next, original, mode, entry } = change;
  const check = (): void => checkUnchanged(change);
  check();
  const known = ledger.files.find((file) => file.path === path);
  if (entry === undefined) {
    // An interrupted change may have left one.
    disk.remove(draftOf(path));
    if (next === undefined) disk.remove(path);
    else if (current?.equals(next) !== true) disk.replace(path, next, mode, check);
    for (const folder of (known?.folders ?? []).toReversed()) disk.removeFolder(folder);
    const rest = storeFile(ledger, path, undefined, disk);
    if (known?.before !== undefined && !change.isMerged) disk.remove(backupPath(ledger, path, known.before));
    return rest;
  }
  makeFolder(ledger.folder);
  if (original !== undefined && entry.before !== undefined)
    disk.replace(backupPath(ledger, path, entry.before), original, 0o600);
  const stored = storeFile(ledger, path, entry, disk);
  for (const folder of missingFolders(path)) disk.makeFolder(folder);
  try {
    // Again: writing the backup and the ledger to the disk took a while.
    if (next !== undefined && current?.equals(next) !== true) disk.replace(path, next, mode, check);
  } catch (error) {
    if (error instanceof ChangedMeanwhileError) storeFile(ledger, path, known, disk);
    throw error;
  }
  return stored;
}

function checkUnchanged({ path, current }: FileChange): void {
  const found = readSettingsFile(path);
  const isSameNow =
    found.type === 'file'
      ? current?.equals(found.content) === true
      : found.type === 'missing' && current === undefined;
  if (!isSameNow) throw new ChangedMeanwhileError(`${path} was changed by another program at this moment.`);
}
