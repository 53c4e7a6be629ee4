import type { Ack, SessionStatus } from '@proffer/core/negotiation';
import { macpError } from './macp-error.js';

/** A message was accepted: it is on disk, and nothing takes it back. */
export interface Acknowledgement {
  /** Empty for what changed nothing, as when a session is cancelled that was cancelled before. */
  readonly messageId: string;
  readonly sessionId: string;
  /** It had been accepted before, under the same id, and this time made no difference (N-6). */
  readonly duplicate: boolean;
  /** Milliseconds since 1970, on the runtime's clock; 0 where the runtime does not say. */
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
