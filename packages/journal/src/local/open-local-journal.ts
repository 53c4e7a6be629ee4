import { resolve } from 'node:path';
import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import type { Durability } from '../journal.js';
import { DEFAULT_TAIL_LIMITS, type TailLimits } from '../live-tail.js';
import {
  type Disk,
  holdDescriptors,
  makeFolder,
  noFileAccess,
  readOnlyDisk,
  realDisk,
} from './files/index.js';
import { holdFolder, holdToRead } from './hold-folder.js';
import { LocalJournal } from './local-journal.js';
import { recover } from './recovery.js';
import { JOURNAL_FORMAT, writeFormat } from './segments/index.js';

export interface LocalJournalOptions {
  /** A segment is completed at this many bytes. Default 64 MiB. */
  readonly segmentBytes?: number;
  /** A group commit of this many bytes gets no more of the waiting appends. Default 256 KiB. */
  readonly batchBytes?: number;
  /** How much each followed space keeps in memory for its feeds. */
  readonly tail?: TailLimits;
  /** What acknowledged records survive. Default `power`. */
  readonly durability?: Durability;
  /**
   * Opens for reading only: nothing in the folder is changed, not even the remains of a write that was
   * cut off, and nothing can be appended. The folder need not be writable, and others may read it at the
   * same time. Default false.
   */
  readonly reading?: boolean;
  /** What the journal writes to; tests pass in one that fails. */
  readonly disk?: Disk;
}

/**
 * Opens the journal in a folder, which is created if missing and belongs to this process until the
 * journal is closed. Refuses a folder that another process holds (`journal_locked`), an unknown
 * format (`unknown_journal_format`), damage anywhere but in a last write that was cut short
 * (`journal_damaged`, with the file and the byte), a folder that cannot be created or written
 * (`unusable_folder`, `disk_full`), and a failing disk (`unavailable`).
 */
export async function openLocalJournal(
  path: string,
  options: LocalJournalOptions = {},
): Promise<Result<LocalJournal>> {
  const folder = resolve(path);
  const { reading = false } = options;
  const disk = reading ? readOnlyDisk : (options.disk ?? realDisk);
  try {
    holdDescriptors();
    if (!reading) makeFolder(folder);
    const held = await (reading ? holdToRead(folder) : holdFolder(folder, disk));
    if (!held.ok) return held;
    const { lock, progress, latest, format } = held.value;
    const giveBack = async (): Promise<void> => {
      await progress.close();
      await lock.release();
    };
    try {
      const recovered = await recover(folder, disk, latest);
      if (!recovered.ok) {
        await giveBack();
        return recovered;
      }
      const journal = new LocalJournal({
        folder,
        disk,
        lock,
        progress,
        // Before anything is written that only this format has.
        prepare: async () => {
          if (format !== JOURNAL_FORMAT) await writeFormat(folder, disk);
        },
        recovered: recovered.value,
        durability: options.durability ?? 'power',
        segmentBytes: options.segmentBytes ?? 64 * 1_048_576,
        batchBytes: options.batchBytes ?? 262_144,
        tail: options.tail ?? DEFAULT_TAIL_LIMITS,
      });
      if (!reading) await journal.start();
      return success(journal);
    } catch (error) {
      await giveBack();
      throw error;
    }
  } catch (error) {
    return failure(cannotOpen(folder, error));
  }
}

/** Errors that retrying does not fix. */
const UNUSABLE: ReadonlySet<string> = new Set(['ELOOP', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR']);

function cannotOpen(folder: string, error: unknown): Refusal {
  const { code, message, path = folder } = error as NodeJS.ErrnoException;
  const details = code === undefined ? { folder } : { folder, cause: code };
  const why = code !== undefined && UNUSABLE.has(code) ? 'unusable_folder' : 'unavailable';
  return (
    noFileAccess(path, error, 'write') ??
    refuse(why, `The journal in ${folder} cannot be opened: ${message}.`, details)
  );
}
