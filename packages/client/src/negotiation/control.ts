import type { SessionStatus } from '@proffer/core/negotiation';
import type { Acknowledgement } from './acknowledgement.js';
import { MacpError } from './macp-error.js';
import type { Try } from './persist.js';
import type { MacpTransport, SessionControl } from './transport.js';

const LEADS_TO: { readonly [Action in SessionControl]: SessionStatus } = {
  cancel: 'CANCELLED',
  suspend: 'SUSPENDED',
  resume: 'OPEN',
};

/**
 * Asks once. These requests have no message id, so one that is repeated after a lost connection and refused for the
 * state of the session counts as done if the session is in the intended state.
 */
export async function controlOnce(
  transport: MacpTransport,
  action: SessionControl,
  about: { readonly sessionId: string; readonly reason: string },
  attempt: Try,
): Promise<Acknowledgement> {
  try {
    return await transport.controlSession(action, about, attempt);
  } catch (error) {
    const mayBeDone = attempt.isRepeated && error instanceof MacpError && error.code === 'SESSION_NOT_OPEN';
    if (!mayBeDone) throw error;
    const { state } = await transport.getSession(about.sessionId, attempt);
    if (state !== LEADS_TO[action]) throw error;
    return { messageId: '', sessionId: about.sessionId, duplicate: true, acceptedAt: 0, state };
  }
}
