import type { MacpEnvelope } from '@proffer/core/negotiation';
import type { Acknowledgement } from './acknowledgement.js';
import { MacpError } from './macp-error.js';
import type { Try } from './persist.js';
import type { Attempt, MacpTransport } from './transport.js';

/**
 * Sends an envelope; a start that is repeated after a lost connection, and had got through, counts as
 * done.
 */
export async function sendOnce(
  transport: MacpTransport,
  envelope: MacpEnvelope,
  attempt: Try,
): Promise<Acknowledgement> {
  try {
    return await transport.send(envelope, attempt);
  } catch (error) {
    if (!attempt.isRepeated || !(await startedByUs(transport, envelope, error, attempt))) throw error;
    const { message_id: messageId, session_id: sessionId } = envelope;
    return { messageId, sessionId, duplicate: true, acceptedAt: 0, state: 'OPEN' };
  }
}

/**
 * Whether a repeated start was refused only because the first one had got through: a second start is
 * refused whatever its message id (N-2), so the session's first message must decide.
 */
async function startedByUs(
  transport: MacpTransport,
  envelope: MacpEnvelope,
  error: unknown,
  attempt: Attempt,
): Promise<boolean> {
  if (envelope.message_type !== 'SessionStart') return false;
  if (!(error instanceof MacpError) || error.code !== 'SESSION_ALREADY_EXISTS') return false;
  try {
    for await (const first of transport.subscribe(envelope.session_id, 0, attempt)) {
      return first.envelope.message_id === envelope.message_id;
    }
  } catch (reason) {
    // A client that may not read it did not start it; any other error may be temporary, and is retried.
    if (reason instanceof MacpError && reason.retryable) throw reason;
  }
  return false;
}
