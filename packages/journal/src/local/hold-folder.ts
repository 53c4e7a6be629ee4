import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { type Disk, holdDescriptors, lockFile } from './files/index.js';
import { checkOlderFormat } from './older-format.js';
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
  SegmentLock,
  writeFormat,
} from './segments/index.js';

/** A folder that belongs to this process until it is released, or the process ends. */
export interface FolderLock {
  /** Whether the folder and its locked file are still where they were. */
  isInPlace(): boolean;
  /** On the last segment. */
  readonly segment: SegmentLock;
  release(): Promise<void>;
}

/**
 * Locks a folder for this process. The lock is on the progress file, without which a journal does not
 * open: so removing the locked file does not let another process in. The last segment is locked, too:
 * so replacing the locked file does not either. Refuses a folder that another process holds.
 */
export async function lockFolder(folder: string): Promise<Result<FolderLock>> {
  const path = progressPath(folder);
  const locked = await readingFile(path, async () => success(await lockFile(path)));
  if (!locked.ok) return locked;
  if (!('release' in locked.value)) return failure(heldBy(folder, locked.value.pid));
  const file = locked.value;
  try {
    const segment = await SegmentLock.ofLast(folder, () => heldBy(folder, undefined));
    if (!segment.ok) {
      await file.release();
      return segment;
    }
    return success({
      isInPlace: () => file.isInPlace(),
      segment: segment.value,
      async release() {
        await segment.value.release();
        await file.release();
      },
    });
  } catch (error) {
    await file.release();
    throw error;
  }
}

/** A locked folder, and what it says about its journal. */
export interface HeldFolder {
  readonly lock: FolderLock;
  readonly progress: ProgressFile;
  /** Its format version. */
  readonly format: number;
}

/** Locks a folder, and creates a journal in it if it is empty. */
export async function holdFolder(folder: string, disk: Disk): Promise<Result<HeldFolder>> {
  holdDescriptors();
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

/**
 * Reads what a folder says about its journal. Refuses one that lost either of the two files, and one
 * that was once of a newer format than it says.
 */
export async function readFolder(folder: string): Promise<Result<FolderState>> {
  const path = progressPath(folder);
  const format = await readingFile(formatPath(folder), () => readFormat(folder));
  if (!format.ok) return format;
  if (format.value !== undefined && format.value < JOURNAL_FORMAT) {
    const older = await checkOlderFormat(folder, format.value);
    // A gateway may be starting with it.
    if (!older.ok) return (await hasFormat(folder, format.value)) ? older : readFolder(folder);
  }
  const latest = await readingFile(path, async () => success(await readIfThere(path)));
  if (!latest.ok) return latest;
  if (format.value === undefined) {
    const { segments, removed } = await listFolder(folder);
    const written = segments.length + removed.length + (latest.value?.progress.segment ?? 0);
    return written === 0 ? success({}) : failure(missing(formatPath(folder)));
  }
  if (format.value > 1 && latest.value === undefined) {
    return failure(damaged(path, 0, 'it is missing, or does not say how far the journal got'));
  }
  return success({
    format: format.value,
    ...(latest.value === undefined ? {} : { latest: latest.value }),
  });
}

async function hasFormat(folder: string, format: number): Promise<boolean> {
  const now = await readFormat(folder);
  return now.ok && now.value === format;
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
function heldBy(folder: string, pid: number | undefined): Refusal<'journal_locked'> {
  const who = pid === undefined ? 'Another process' : `The process ${pid}`;
  const details = pid === undefined ? { folder } : { folder, pid };
  return refuse('journal_locked', `${who} is using the journal in ${folder}.`, details);
}
