import { type MessageWords, wordsFromFields } from '../modes/message-words.js';
import { findMode } from '../modes/registry.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';
import { isSessionMessage, type SessionMessage } from '../wire/session-messages.js';

/** Who did what: the sender, or for the runtime's own messages the one who requested it. */
export interface DescribedMessage extends MessageWords {
  readonly by: string;
}

/**
 * Describes an accepted, parsed message for people. Messages of a mode without descriptions, or of an
 * unsupported one, get their type and their fields.
 */
export function describeMessage(envelope: MacpEnvelope): DescribedMessage {
  const by = envelope.sender;
  if (isSessionMessage(envelope)) return { by, ...describeSessionMessage(envelope) };
  return { by, ...(findMode(envelope.mode)?.describe?.(envelope) ?? wordsFromFields(envelope)) };
}

function describeSessionMessage({
  message_type,
  payload,
}: SessionMessage): MessageWords & { readonly by?: string } {
  switch (message_type) {
    case 'SessionStart':
      return { verb: 'starts', about: '', said: payload.intent, tone: 'plain' };
    case 'Commitment': {
      const { action, reason, outcome_positive } = payload;
      return outcome_positive
        ? { verb: 'commits', about: action, said: reason, tone: 'good' }
        : { verb: 'commits (negative)', about: action, said: reason, tone: 'bad' };
    }
    case 'SessionCancel':
      return { by: payload.cancelled_by, verb: 'cancels', about: '', said: payload.reason, tone: 'bad' };
    case 'SessionSuspend':
      return { by: payload.suspended_by, verb: 'suspends', about: '', said: payload.reason, tone: 'caution' };
    case 'SessionResume':
      return { by: payload.resumed_by, verb: 'resumes', about: '', said: payload.reason, tone: 'good' };
    case 'TtlExpired':
      return { verb: 'expires', about: '', said: 'timed out', tone: 'caution' };
  }
}
