import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { checkOlderFormat } from './older-format.js';
import {
  damaged,
  formatPath,
  JOURNAL_FORMAT,
  listFolder,
  missing,
  type NumberedProgress,
  progressPath,
  readFormat,
  readingFile,
  readProgress,
} from './segments/index.js';

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
  return success({ format: format.value, ...defined({ latest: latest.value }) });
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

/** The refusal for a folder without a journal. */
export function noJournal(folder: string): Refusal<'journal_damaged'> {
  return refuse('journal_damaged', `There is no journal in ${folder}.`, { folder });
}
