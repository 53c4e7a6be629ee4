import { type Refusal, refuse } from '@proffer/core';
import { JournalError } from '@proffer/journal';

/** The refusal when the journal could not be read. Rethrows any other error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof JournalError) return error.refusal;
  throw error;
}

/**
 * The journal's own refusal when it is currently unreadable, or somebody else wrote to it; `undefined` for any other
 * error. Messages about a damaged journal contain file names of the gateway, so they are only for its log.
 */
export function outageOf(error: unknown): Refusal | undefined {
  if (!(error instanceof JournalError)) return undefined;
  const { refusal } = error;
  if (refusal.code === 'forged_record')
    return refuse('unavailable', 'The journal has a record that no gateway wrote.', { cause: refusal.code });
  return refusal.code === 'unavailable' ? refusal : undefined;
}

/** What the sender of a message is told that was not decided: the cause, where it is one that may be told. */
export function refusalForJournalError(error: unknown): Refusal {
  return outageOf(error) ?? refuse('unavailable', 'The journal could not be read.');
}
