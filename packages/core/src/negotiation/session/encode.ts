import type { VersionedMap } from '../../collections/versioned-map.js';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { acceptedBy, type Negotiation } from '../mode/negotiation.js';
import type { SessionState } from './session.js';

/**
 * The whole state of a session as JSON, the same for the same records on every machine (I-3):
 * compare the canonical texts. Nothing before the session was started.
 */
export function encodeSession(state: SessionState): JsonValue {
  if (state === undefined) return null;
  const { terms, negotiation, messages, activity, ...plain } = state;
  return {
    ...plain,
    terms: { ...terms, participants: [...terms.participants] },
    messages: encodeMap(messages),
    activity: encodeMap(activity),
    negotiation: encodeNegotiation(negotiation),
  };
}

/** Where the parties stand, as JSON; equal for a session and a projection of its messages (N-12). */
export function encodeNegotiation(negotiation: Negotiation): JsonObject {
  const { proposers, live, latestAccepts, rejections, acceptances, terminalRejections, ...plain } =
    negotiation;
  return {
    ...plain,
    proposers: encodeMap(proposers),
    live: encodeMap(live),
    accepts: encodeMap(latestAccepts).filter(([sender]) => acceptedBy(negotiation, sender) !== undefined),
    acceptances: encodeMap(acceptances),
    rejections: encodeMap(rejections),
    terminalRejections: encodeMap(terminalRejections),
  };
}

/** Pairs sorted by key. Not an object: keys come from clients, and one may be `__proto__`. */
function encodeMap<Value extends string | number | boolean | JsonObject>(
  map: VersionedMap<Value>,
): (readonly [string, Value])[] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1));
}
