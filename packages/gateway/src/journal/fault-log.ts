import type { Logger } from 'pino';
import { outageOf } from './journal-refusals.js';

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
