import type { Refusal } from '@proffer/core';
import { JournalError } from '@proffer/journal';

/** What somebody is told when the journal could not be read. Throws what is no word of the journal. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof JournalError) return error.refusal;
  throw error;
}
