import type { JsonObject } from '@proffer/core/json';

/** How clients say that they timed out: `Request timed out`, `context deadline exceeded`. */
const TIMED_OUT = /time[ds]?[ -]?out|deadline/i;

/**
 * Whether a cancelled request (`notifications/cancelled`) is no longer wanted. Clients also cancel requests that time
 * out, and often repeat the same call: they are only away for a while.
 *
 * @param params - of the notification
 */
export function isUnwanted({ reason }: JsonObject): boolean {
  return typeof reason !== 'string' || !TIMED_OUT.test(reason);
}
