import { failure, type Refusal, type Result, refuse } from '@proffer/core';
import { defined, type JsonObject } from '@proffer/core/json';
import type { CutOffWrite } from '../../journal.js';
import { JournalError } from '../../journal-error.js';
import { NotAFileError, noFileAccess, type Use } from '../files/index.js';
import type { Break } from './break.js';
import { removedPath } from './layout.js';
import type { Progress } from './progress-file.js';

/** The refusal for damage at a position in a file. */
export function damaged(
  file: string,
  offset: number,
  what: string,
  details: JsonObject = {},
): Refusal<'journal_damaged'> {
  const sentence = `${file} is damaged at byte ${offset}: ${what}.`;
  return refuse('journal_damaged', sentence, { file, offset, ...details });
}

/**
 * The refusal for a batch in the last file that cannot be a write that was cut off. If nothing
 * follows it, `details.last` is its length in bytes.
 */
export function changed(file: string, { offset, bytes, next }: Break): Refusal<'journal_damaged'> {
  if (next !== undefined)
    return damaged(file, offset, 'a batch is incomplete, but something was written after it');
  const what = `the last ${bytes} bytes, which may contain acknowledged records, have changed since they were written`;
  return damaged(file, offset, what, { last: bytes });
}

/** The refusal for a last file that ends before the acknowledged data does. */
export function lost(file: string, offset: number, acknowledged: number): Refusal<'journal_damaged'> {
  const what = `records that were acknowledged, up to byte ${acknowledged}, are missing or have changed`;
  return damaged(file, offset, what, { acknowledged });
}

/** The refusal for a missing file. */
export function missing(file: string): Refusal<'journal_damaged'> {
  return damaged(file, 0, 'the file is missing');
}

/** The refusal for a folder that has fewer lists of removed streams than were written. */
export function listsMissing(
  folder: string,
  found: readonly number[],
  { lists }: Progress,
): Refusal<'journal_damaged'> {
  // The first missing number; older formats may have skipped some after a failed attempt.
  const gap = found.findIndex((number, index) => number !== index + 1);
  const number = gap === -1 ? found.length + 1 : gap + 1;
  const what = `${found.length} of ${lists} lists of removed streams were found`;
  return damaged(removedPath(folder, number), 0, what, { expected: lists, found: found.length });
}

/**
 * Reads a file, and refuses an unreadable one. Throws temporary errors that are not the file's fault.
 *
 * @param use - what the file is opened for. Default `read`
 */
export async function readingFile<Value>(
  file: string,
  read: () => Promise<Result<Value>>,
  use: Use = 'read',
): Promise<Result<Value>> {
  try {
    return await read();
  } catch (error) {
    const refusal = unreadable(file, error, use);
    if (refusal === undefined) throw error;
    return failure(refusal);
  }
}

function unreadable(file: string, error: unknown, use: Use): Refusal | undefined {
  if (error instanceof JournalError) return error.refusal;
  if (error instanceof NotAFileError) return damaged(file, 0, error.message);
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || TRANSIENT.has(code)) return undefined;
  if (code === 'ENOENT') return missing(file);
  return noFileAccess(file, error, use) ?? damaged(file, 0, `it cannot be read (${code})`, { cause: code });
}

const TRANSIENT: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/** What is dropped at a position without a complete frame. */
export function cutOffWrite(file: string, { offset, bytes, unsynced }: Break): CutOffWrite {
  return { file, offset, bytes, ...defined({ unsynced }) };
}

/** Describes a write that was cut off, for the operator: what is there, where, and what it means. */
export function describeCutOff({ file, offset, bytes, unsynced }: CutOffWrite): string {
  const what =
    unsynced === true
      ? 'After a power cut, that is what was not on the disk yet: with journal.durability: process, ' +
        'the messages of the last moments before the power cut are lost, although they were acknowledged. '
      : 'After a crash or a power cut this is normal: the last write was cut off, and was never acknowledged.  ';
  return (
    `The last ${bytes === 1 ? 'byte' : `${bytes} bytes`} of ${file}, from byte ${offset}, ` +
    `${bytes === 1 ? 'is' : 'are'} not a complete batch. ` +
    what +
    'If there was none, the file was damaged, and what was acknowledged last may be missing.'
  );
}
