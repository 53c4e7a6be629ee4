import type { Refusal } from '@proffer/core';
import { JournalError } from '@proffer/journal';

/** The refusal when the journal could not be read. Rethrows any other error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof JournalError) return error.refusal;
  throw error;
}
