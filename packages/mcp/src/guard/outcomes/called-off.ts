import type { JsonObject } from '@proffer/core/json';

/** Why a call is withdrawn whose caller does not want it any more. */
export const CALLED_OFF = 'the caller called it off';

/** Why one is that nobody came back for. */
export const WENT_AWAY = 'the caller went away';

/** How clients say that they only waited for too long: `Request timed out`, `context deadline exceeded`. */
const OUT_OF_PATIENCE = /time[ds]?[ -]?out|deadline/i;

/**
 * Whether whoever calls off a request (`notifications/cancelled`) does not want it any more. Clients call off what they
 * have waited for too long, too, and often make the same call again then: these are away for a while, and no more.
 *
 * @param params - of the notification
 */
export function isUnwanted({ reason }: JsonObject): boolean {
  return typeof reason !== 'string' || !OUT_OF_PATIENCE.test(reason);
}
