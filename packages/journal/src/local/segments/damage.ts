import { type JsonObject, type Refusal, refuse } from '@proffer/core';
import type { CutOffWrite } from '../../journal.js';
import type { Break } from './break.js';

/** The refusal for a place in a file that is not as it was written. */
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
 * The refusal for a batch in the last file that cannot be a write that was cut off. If nothing follows it,
 * `details.last` says how many bytes it has.
 */
export function changed(file: string, { offset, bytes, next }: Break): Refusal<'journal_damaged'> {
  if (next !== undefined)
    return damaged(file, offset, 'a batch is not whole, but something was written after it');
  const what = `the last ${bytes} bytes, which may hold what was acknowledged, are no longer what was written`;
  return damaged(file, offset, what, { last: bytes });
}

/** A write that was cut off in words, for whoever has to judge it: what is there, where, and what it means. */
export function describeCutOff({ file, offset, bytes }: CutOffWrite): string {
  return (
    `The last ${bytes === 1 ? 'byte' : `${bytes} bytes`} of ${file}, from byte ${offset}, ` +
    `${bytes === 1 ? 'is' : 'are'} not a whole batch. ` +
    'After a crash or a power cut that is a write that was cut off: normal, and never acknowledged. ' +
    'If there was none, the file was damaged, and what was acknowledged last may be missing.'
  );
}
