import { failure, type Result, success } from '@proffer/core';
import { type Disk, OnlyReadError } from './files/index.js';
import { noJournal, readFolder } from './folder-state.js';
import { type FolderLock, lockFolder, lockToRead } from './lock-folder.js';
import {
  JOURNAL_FORMAT,
  NO_PROGRESS,
  type Progress,
  ProgressFile,
  type ProgressWriter,
  progressPath,
  writeFormat,
} from './segments/index.js';

/** A locked folder, and what it says about its journal. */
export interface HeldFolder {
  readonly lock: FolderLock;
  readonly progress: ProgressWriter;
  /** What must be there. */
  readonly latest: Progress;
  /** The format version of the folder. */
  readonly format: number;
}

/** Locks a folder, and creates a journal in it if it is empty. */
export async function holdFolder(folder: string, disk: Disk): Promise<Result<HeldFolder>> {
  const before = await readFolder(folder);
  if (!before.ok) return before;
  const locked = await lockFolder(folder);
  if (!locked.ok) return locked;
  const lock = locked.value;
  try {
    // Another process may have been here until the file was locked.
    const found = await readFolder(folder);
    if (!found.ok) {
      await lock.release();
      return found;
    }
    const { latest = { number: 0, progress: NO_PROGRESS }, format } = found.value;
    const progress = await ProgressFile.open(disk, progressPath(folder), latest);
    try {
      if (format === undefined) {
        await progress.sync(NO_PROGRESS);
        await writeFormat(folder, disk);
      }
    } catch (error) {
      await progress.close();
      throw error;
    }
    return success({ lock, progress, latest: latest.progress, format: format ?? JOURNAL_FORMAT });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Locks a folder against writers and changes nothing in it. Refuses one without a journal. */
export async function holdToRead(folder: string): Promise<Result<HeldFolder>> {
  const before = await readFolder(folder);
  if (!before.ok) return before;
  const locked = await lockToRead(folder, before.value);
  if (!locked.ok) return locked;
  const lock = locked.value;
  try {
    const found = await readFolder(folder);
    if (found.ok && found.value.format !== undefined) {
      const { format, latest } = found.value;
      return success({ lock, progress: NOT_WRITTEN, latest: latest?.progress ?? NO_PROGRESS, format });
    }
    await lock.release();
    return found.ok ? failure(noJournal(folder)) : found;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const NOT_WRITTEN: ProgressWriter = {
  note: () => undefined,
  sync: () => Promise.reject(new OnlyReadError()),
  close: () => Promise.resolve(),
};
