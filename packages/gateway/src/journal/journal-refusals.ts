import { type Refusal, refuse } from '@proffer/core';
import { JournalError } from '@proffer/journal';
import type { Logger } from 'pino';

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

/** Logs that something failed, with details for whoever looks into it. */
export type LogFault = (error: unknown, what: string, details?: object) => void;

/** While the journal is away, every message fails in the same way: one line per minute says so. */
const INTERVAL = 60_000;

/**
 * Logs faults: each with its stack, unless it is that the journal cannot be read at the moment. Of those there is one
 * line at first, and then at most one per minute with their number; when it begins and ends, the journal's health tells.
 *
 * @param clock - milliseconds since 1970
 */
export function createFaultLog(log: Pick<Logger, 'error' | 'warn'>, clock: () => number): LogFault {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let left = 0;
  return (error, what, details = {}) => {
    const refusal = outageOf(error);
    if (refusal === undefined) return log.error({ ...details, err: error }, what);
    const now = clock();
    // A clock that was set back must not silence it.
    if (now >= loggedAt && now - loggedAt < INTERVAL) return void left++;
    log.warn({ ...details, refusal, alsoFailed: left }, `${what}: the journal cannot be read at the moment`);
    loggedAt = now;
    left = 0;
  };
}
