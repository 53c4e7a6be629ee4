import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { type Disk, holdDescriptors, type Lock, lockFile } from './files/index.js';
import {
  damaged,
  formatPath,
  JOURNAL_FORMAT,
  listFolder,
  missing,
  NO_PROGRESS,
  type NumberedProgress,
  ProgressFile,
  progressPath,
  readFormat,
  readingFile,
  readProgress,
  writeFormat,
} from './segments/index.js';

/** A folder that belongs to this process until the lock is released, and what it says about its journal. */
export interface HeldFolder {
  readonly lock: Lock;
  readonly progress: ProgressFile;
  /** Its format version. */
  readonly format: number;
}

/**
 * Locks a folder for this process, and creates a journal in it if it is empty. The lock is on the
 * progress file, without which a journal does not open: so removing the locked file does not let
 * another process in.
 */
export async function holdFolder(folder: string, disk: Disk): Promise<Result<HeldFolder>> {
  holdDescriptors();
  const path = progressPath(folder);
  const before = await readFolder(folder);
  if (!before.ok) return before;
  const locked = await readingFile(path, async () => success(await lockFile(path)));
  if (!locked.ok) return locked;
  if (!('release' in locked.value)) return failure(heldBy(folder, locked.value.pid));
  const lock = locked.value;
  try {
    // Another process may have been here until the file was locked.
    const found = await readFolder(folder);
    if (!found.ok) {
      await lock.release();
      return found;
    }
    const { latest = { number: 0, progress: NO_PROGRESS }, format } = found.value;
    const progress = await ProgressFile.open(disk, path, latest);
    try {
      if (format === undefined) {
        await progress.sync(NO_PROGRESS);
        await writeFormat(folder, disk);
      }
    } catch (error) {
      await progress.close();
      throw error;
    }
    return success({ lock, progress, format: format ?? JOURNAL_FORMAT });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The content of the two files beside the segments. */
export interface FolderState {
  /** Absent in a folder without a journal. */
  readonly format?: number;
  /** How far the journal got; absent in a journal of the first format. */
  readonly latest?: NumberedProgress;
}

/** Reads what a folder says about its journal. Refuses one that lost either of the two files. */
export async function readFolder(folder: string): Promise<Result<FolderState>> {
  const path = progressPath(folder);
  const format = await readingFile(formatPath(folder), () => readFormat(folder));
  if (!format.ok) return format;
  const latest = await readingFile(path, async () => success(await readIfThere(path)));
  if (!latest.ok) return latest;
  if (format.value === undefined) {
    const { segments, removed } = await listFolder(folder);
    const written = segments.length + removed.length + (latest.value?.progress.segment ?? 0);
    return written === 0 ? success({}) : failure(missing(formatPath(folder)));
  }
  if (format.value === JOURNAL_FORMAT && latest.value === undefined) {
    return failure(damaged(path, 0, 'it is missing, or does not say how far the journal got'));
  }
  return success({
    format: format.value,
    ...(latest.value === undefined ? {} : { latest: latest.value }),
  });
}

async function readIfThere(path: string): Promise<NumberedProgress | undefined> {
  try {
    return await readProgress(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The refusal for a folder that another process holds. */
export function heldBy(folder: string, pid: number | undefined): Refusal<'journal_locked'> {
  const who = pid === undefined ? 'Another process' : `The process ${pid}`;
  const details = pid === undefined ? { folder } : { folder, pid };
  return refuse('journal_locked', `${who} is using the journal in ${folder}.`, details);
}
