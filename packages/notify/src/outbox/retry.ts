import type { OutboxMessage } from './outbox.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait after each failure; the last is repeated. */
const WAITS = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
];

/** After this time a message is parked and shown to the operator. */
export const GIVE_UP_AFTER = 24 * HOUR;

/**
 * When to retry after a failure: with growing pauses, for a day. `undefined` when it is time to give
 * up.
 *
 * @param retryAfter - the earliest time the receiver asked for, if any
 */
export function nextTry(
  { failures, queuedAt }: OutboxMessage,
  now: number,
  retryAfter = 0,
): number | undefined {
  const wait = WAITS[Math.min(failures, WAITS.length - 1)] ?? HOUR;
  const next = Math.max(now + wait, retryAfter);
  return next - queuedAt > GIVE_UP_AFTER ? undefined : next;
}
