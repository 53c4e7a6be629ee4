import { constants, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '@proffer/core/json';
import {
  type CutOffWrite,
  folderOf,
  type Journal,
  JournalError,
  type JournalPlace,
  openLocalJournal,
  type SharedBackend,
  sharedBackendOf,
} from '@proffer/journal';
import { CommandFailure, EXIT } from '../command-failure.js';

/** What was read, and whether it was read from a copy because a gateway has the folder open. */
export interface JournalReading<Value> {
  readonly value: Value;
  readonly copied: boolean;
  /** A last write that was cut off and left out; not for a copy, where the write may still be in progress. */
  readonly cutOff?: CutOffWrite;
}

/**
 * Opens a journal for reading without changing it. A folder that a gateway has open is copied first: records
 * are only ever appended, so a copy is the journal as of a moment ago.
 *
 * @throws CommandFailure for a journal that cannot be read
 */
export async function readJournal<Value>(
  place: JournalPlace,
  read: (journal: Journal) => Promise<Value>,
): Promise<JournalReading<Value>> {
  const folder = folderOf(place);
  return folder === undefined
    ? { value: await readShared(place, read), copied: false }
    : await readFolder(folder, read);
}

async function readFolder<Value>(
  folder: string,
  read: (journal: Journal) => Promise<Value>,
): Promise<JournalReading<Value>> {
  const opened = await openLocalJournal(folder, { reading: true });
  if (opened.ok) {
    const { value: journal } = opened;
    try {
      const value = await read(journal);
      const { dropped: cutOff } = journal.recovery;
      return { value, copied: false, ...defined({ cutOff }) };
    } catch (error) {
      throw error instanceof JournalError ? unreadable(error.refusal, error) : error;
    } finally {
      await journal.close();
    }
  }
  if (opened.refusal.code !== 'journal_locked') throw unreadable(opened.refusal);
  const copy = await mkdtemp(join(tmpdir(), 'proffer-replay-'));
  try {
    await copyWhole(folder, copy);
    const { value } = await readFolder(copy, read);
    return { value, copied: true };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** A shared journal can be read while gateways write. */
async function readShared<Value>(
  place: JournalPlace,
  read: (journal: Journal) => Promise<Value>,
): Promise<Value> {
  const journal = await openShared(place);
  try {
    return await read(journal);
  } catch (error) {
    throw error instanceof JournalError ? unreadable(error.refusal, error) : error;
  } finally {
    await journal.close();
  }
}

/**
 * Opens an existing journal that gateways share.
 *
 * @throws CommandFailure if it does not exist, or is not safe
 */
export async function openShared(place: JournalPlace): Promise<Journal> {
  const opened = await sharedBackend(place).openExisting(place);
  if (!opened.ok) throw unreadable(opened.refusal);
  return opened.value;
}

/** The backend of a place that is not a folder. */
export function sharedBackend(place: JournalPlace): SharedBackend<JournalPlace> {
  const backend = sharedBackendOf(place);
  if (backend !== undefined) return backend;
  throw new Error(`the backend ${place.backend} keeps nothing that could be read`);
}

function unreadable({ code, message, details }: JournalError['refusal'], cause?: unknown): CommandFailure {
  return new CommandFailure({ exit: EXIT.refused, code, message, details }, cause);
}

/** How often a copy is retried because the gateway removed a file meanwhile, as retention does. */
const ATTEMPTS = 5;

async function copyWhole(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await copyJournal(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error;
      for (const name of await readdir(to)) await rm(join(to, name));
    }
  }
}

/**
 * Copies the files without knowing their format. Indexes are rebuilt; drafts are skipped, since they hold nothing yet
 * and may disappear.
 */
async function copyJournal(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !/\.index$|\.draft$/.test(entry.name))
    .map(({ name }) => name);
  // In order: the file that says how far the journal got comes first, and no record is copied without the ones before
  // it.
  for (const name of names.sort())
    await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
}
