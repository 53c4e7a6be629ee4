import type { JsonValue } from '../../json/json.js';
import { encodeMap } from '../modes/encode-map.js';
import { modeOf } from '../modes/registry.js';
import type { SessionState } from './session.js';

/**
 * The whole state of a session as JSON, the same for the same records on every machine (I-3): compare
 * the canonical texts. Nothing before the session was started.
 */
export function encodeSession(state: SessionState): JsonValue {
  if (state === undefined) return null;
  const { terms, negotiation, messages, activity, ...plain } = state;
  return {
    ...plain,
    terms: { ...terms, participants: [...terms.participants] },
    messages: encodeMap(messages),
    activity: encodeMap(activity),
    negotiation: modeOf(state).encode(negotiation),
  };
}
