import { type Refusal, refuse } from '@proffer/core';

/** The refusal for a place in a file that is not as it was written. */
export function damaged(file: string, offset: number, what: string): Refusal<'journal_damaged'> {
  return refuse('journal_damaged', `${file} is damaged at byte ${offset}: ${what}.`, { file, offset });
}
