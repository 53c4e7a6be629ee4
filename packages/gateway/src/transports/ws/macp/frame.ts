import { failure, type Result, refuse, success } from '@proffer/core';
import { describe, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';

/** A peer's request to the negotiation plane in one message. */
export type MacpFrame =
  /** An envelope in its JSON form, not parsed yet. */
  | { readonly type: 'envelope'; readonly envelope: JsonObject }
  /** Subscribes to a session after a sequence number. */
  | { readonly type: 'subscribe'; readonly sessionId: string; readonly after: number }
  /** Unsubscribes from a session. */
  | { readonly type: 'unsubscribe'; readonly sessionId: string };

/**
 * Distinguishes the frames: `{ subscribe_session_id, after_sequence }`, `{ unsubscribe_session_id }`, and
 * anything else is an envelope. Refuses with `INVALID_ENVELOPE`.
 */
export function readMacpFrame(value: JsonValue): Result<MacpFrame> {
  if (!isJsonObject(value)) return wrong('', value, 'an object');
  const { subscribe_session_id: wanted, unsubscribe_session_id: unwanted, after_sequence: after = 0 } = value;
  if (wanted === undefined && unwanted === undefined) return success({ type: 'envelope', envelope: value });
  const field = wanted === undefined ? 'unsubscribe_session_id' : 'subscribe_session_id';
  const sessionId = value[field];
  if (Object.hasOwn(value, 'message_type') || (wanted !== undefined && unwanted !== undefined)) {
    return wrong(field, sessionId, 'a frame of its own');
  }
  if (typeof sessionId !== 'string' || sessionId === '')
    return wrong(field, sessionId, 'the id of a session');
  if (wanted === undefined) return success({ type: 'unsubscribe', sessionId });
  if (typeof after !== 'number' || !Number.isSafeInteger(after) || after < 0) {
    return wrong('after_sequence', after, 'a sequence number');
  }
  return success({ type: 'subscribe', sessionId, after });
}

function wrong(field: string, found: JsonValue | undefined, expected: string): ReturnType<typeof failure> {
  const what = field === '' ? 'A frame is not an object.' : `${field} of the frame is invalid.`;
  return failure(refuse('INVALID_ENVELOPE', what, { field, found: describe(found), expected }));
}
