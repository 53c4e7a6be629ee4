import type { JsonObject } from '../../json/json.js';
import type { Refusal } from '../../refusal/refusal.js';
import type { SessionStatus } from '../session/session.js';
import { macpRefusal } from './macp-refusal.js';

/** `MACPError` of the wire. On the wire `details` are the bytes of this object as JSON text. */
export type MacpErrorBody = {
  readonly code: string;
  readonly message: string;
  readonly session_id: string;
  readonly message_id: string;
  readonly details: JsonObject;
};

/** The answer to a message, with wire names. */
export type Ack = {
  readonly ok: boolean;
  /** Whether the message was accepted before and made no difference now (N-6). */
  readonly duplicate: boolean;
  readonly message_id: string;
  readonly session_id: string;
  /** When it was accepted, for a duplicate the first time; 0 if it was not, or nothing was recorded. */
  readonly accepted_at_unix_ms: number;
  /**
   * The state of the session afterwards; `UNSPECIFIED` if the sender may not know it, or there is no
   * session.
   */
  readonly session_state: SessionStatus | 'UNSPECIFIED';
  /** The sequence number of the message (N-6), if it has one. Not on the protobuf wire. */
  readonly sequence?: number | undefined;
  /** Present exactly if `ok` is false. */
  readonly error?: MacpErrorBody | undefined;
};

/** Which message an answer is about. */
export type Addressed = { readonly session_id: string; readonly message_id: string };

/** What is known about an accepted message. */
export interface Acceptance {
  readonly time: number;
  readonly state: Ack['session_state'];
  readonly sequence?: number | undefined;
  readonly duplicate?: boolean;
}

/** The answer to an accepted message, now or before. */
export function acceptedAck(
  { session_id, message_id }: Addressed,
  { time, state, sequence, duplicate = false }: Acceptance,
): Ack {
  const ack = {
    ok: true,
    duplicate,
    message_id,
    session_id,
    accepted_at_unix_ms: time,
    session_state: state,
  };
  return sequence === undefined ? ack : Object.assign(ack, { sequence });
}

/**
 * The answer to a refused message: codes other than MACP's are translated ({@link macpRefusal}).
 *
 * @param state - the session's, for those who may know it. Default: unspecified
 */
export function refusedAck(
  { session_id, message_id }: Addressed,
  refusal: Refusal,
  state: Ack['session_state'] = 'UNSPECIFIED',
): Ack {
  return {
    ok: false,
    duplicate: false,
    message_id,
    session_id,
    accepted_at_unix_ms: 0,
    session_state: state,
    error: macpError({ session_id, message_id }, refusal),
  };
}

/** A refusal in its wire form. */
export function macpError({ session_id, message_id }: Addressed, refusal: Refusal): MacpErrorBody {
  const { code, message, details } = macpRefusal(refusal);
  return { code, message, session_id, message_id, details };
}
