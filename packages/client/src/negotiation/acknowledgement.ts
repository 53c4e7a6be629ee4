import type { Ack, SessionStatus } from '@proffer/core/negotiation';
import { macpError } from './macp-error.js';

/** A message was accepted: it is on disk, and cannot be undone. */
export interface Acknowledgement {
  /** Empty if nothing changed, for example when cancelling a session that was already cancelled. */
  readonly messageId: string;
  readonly sessionId: string;
  /** Whether the message had been accepted before, under the same id, and made no difference this time (N-6). */
  readonly duplicate: boolean;
  /** Milliseconds since 1970, on the runtime's clock; 0 if the runtime does not say. */
  readonly acceptedAt: number;
  /** The state of the session afterwards; absent for signals, which belong to none. */
  readonly state?: SessionStatus;
}

/** Reads the runtime's answer to a message. Throws a MacpError if it was refused. */
export function acknowledged(ack: Ack): Acknowledgement {
  const { message_id: messageId, session_id: sessionId, error, session_state: state } = ack;
  if (!ack.ok || error !== undefined) {
    const { code = 'INTERNAL_ERROR', message = 'The runtime refused the message and gave no reason.' } =
      error ?? {};
    throw macpError(code, message, { messageId, sessionId, details: error?.details ?? {} });
  }
  return {
    messageId,
    sessionId,
    duplicate: ack.duplicate,
    acceptedAt: ack.accepted_at_unix_ms,
    ...(state === 'UNSPECIFIED' ? {} : { state }),
  };
}
