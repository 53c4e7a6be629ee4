import { constants, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CutOffWrite, type Journal, JournalError, openLocalJournal } from '@proffer/journal';
import { CommandFailure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';
import type { JournalPlace, NatsPlace } from './place.js';

/** What was read, and whether it was read from a copy because a gateway has the folder open. */
export interface JournalReading<Value> {
  readonly value: Value;
  readonly copied: boolean;
  /** A last write that was cut off, and was left out; not of a copy, in which it may be one that goes on. */
  readonly cutOff?: CutOffWrite;
}

/**
 * Opens a journal to read it, and leaves it as it is. A folder that a gateway has open is copied first: records are only ever
 * appended, so a copy is what the journal was a moment ago.
 *
 * @throws CommandFailure for a journal that cannot be read
 */
export async function readJournal<Value>(
  folder: JournalPlace,
  read: (journal: Journal) => Promise<Value>,
): Promise<JournalReading<Value>> {
  if (typeof folder !== 'string') return { value: await readNats(folder, read), copied: false };
  const opened = await openLocalJournal(folder, { reading: true });
  if (opened.ok) {
    const { value: journal } = opened;
    try {
      const value = await read(journal);
      const { dropped: cutOff } = journal.recovery;
      return { value, copied: false, ...(cutOff === undefined ? {} : { cutOff }) };
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
    const { value } = await readJournal(copy, read);
    return { value, copied: true };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** A journal on NATS has any number of readers, with or without gateways. */
async function readNats<Value>(place: NatsPlace, read: (journal: Journal) => Promise<Value>): Promise<Value> {
  const journal = await openPlace(place);
  try {
    return await read(journal);
  } catch (error) {
    throw error instanceof JournalError ? unreadable(error.refusal, error) : error;
  } finally {
    await journal.close();
  }
}

/**
 * Opens a journal on NATS that must be there.
 *
 * @throws CommandFailure for one that is not, or is not safe
 */
export async function openPlace({ nats }: NatsPlace): Promise<Journal> {
  // The client is loaded only by those who need it.
  const { openNatsJournal } = await import('@proffer/journal/nats');
  const opened = await openNatsJournal({ ...nats, replicas: 1, create: false, name: 'proffer command line' });
  if (!opened.ok) throw unreadable(opened.refusal);
  return opened.value;
}

function unreadable({ code, message, details }: JournalError['refusal'], cause?: unknown): CommandFailure {
  return new CommandFailure({ exit: EXIT.refused, code, message, details }, cause);
}

/** So often a copy is begun again because the gateway took a file away meanwhile, as retention does. */
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
 * Copies what is written there, without knowing its format; indexes are made again, and a draft is nothing yet,
 * and may be gone in a moment.
 */
async function copyJournal(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !/\.index$|\.draft$/.test(entry.name))
    .map(({ name }) => name);
  // In order: what says how far the journal got comes first, and no later record comes without an earlier one.
  for (const name of names.sort())
    await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
}
