import type { MacpEnvelope } from '@proffer/core';
import { MacpError } from './macp-error.js';
import type { Attempt, MacpTransport } from './transport.js';

/**
 * Whether a start that was sent again was refused only because the first one had got through: a second
 * start is refused whatever its message id (N-2), so the session's own first message has to tell.
 */
export async function startedByUs(
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
    // Who may not read it did not start it; anything else may pass, and is tried again.
    if (reason instanceof MacpError && reason.retryable) throw reason;
  }
  return false;
}
