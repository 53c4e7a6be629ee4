import {
  isSessionMessage,
  type MacpEnvelope,
  maxSuspendedFor,
  type PolicyRules,
  policyIdOf,
  readEnvelope,
  type SessionRecord,
} from '@proffer/core/negotiation';

/**
 * The records behind the envelopes that a gateway delivers, as far as visible from outside. Only the journal
 * knows when each was accepted, and how much time a suspended session had left. The sender's own time
 * replaces the first.
 *
 * @throws Error for an envelope that no runtime would have accepted
 */
export function recordOf(envelope: MacpEnvelope, rules: PolicyRules): SessionRecord {
  const read = readEnvelope(envelope);
  if (!read.ok) throw new Error(read.refusal.message);
  const message = read.value;
  const base = { time: message.timestamp_unix_ms, principal: message.sender };
  if (!isSessionMessage(message)) return { ...base, type: 'message_accepted', envelope: message };
  switch (message.message_type) {
    case 'SessionStart': {
      const policy_id = policyIdOf(message.payload.policy_version);
      const facts = { policy_id, rules, max_suspended_ms: maxSuspendedFor(message.payload) };
      return { ...base, type: 'session_started', envelope: message, facts };
    }
    case 'SessionSuspend':
      return { ...base, type: 'session_suspended', envelope: message, facts: { banked_ms: 0 } };
    case 'SessionResume': {
      const facts = { banked_ms: message.payload.banked_ms, suspended_ms: 0 };
      return { ...base, type: 'session_resumed', envelope: message, facts };
    }
    case 'SessionCancel':
      return { ...base, type: 'session_cancelled', envelope: message };
    case 'TtlExpired':
      return { ...base, type: 'session_expired', envelope: message };
    case 'Commitment':
      return { ...base, type: 'message_accepted', envelope: message };
  }
}
