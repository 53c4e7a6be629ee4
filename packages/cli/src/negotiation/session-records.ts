import type { MacpClient } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import {
  isSessionMessage,
  type MacpEnvelope,
  type ModeDescriptor,
  maxSuspendedFor,
  type PolicyRules,
  policyIdOf,
  readEnvelope,
  type SessionRecord,
} from '@proffer/core/negotiation';

/** What a session was started with, and its messages do not say. */
export interface SessionBasis {
  readonly rules: PolicyRules;
  /** Of a registered mode. */
  readonly descriptor?: ModeDescriptor;
}

/** What a session was started with, from the gateway. */
export async function readBasis(client: MacpClient, sessionId: string): Promise<SessionBasis> {
  const rules = await client.getSessionRules(sessionId);
  return { rules, ...defined({ descriptor: await client.getSessionMode(sessionId) }) };
}

/**
 * The records behind the envelopes that a gateway delivers, as far as visible from outside. Only the journal
 * knows when each was accepted, and how much time a suspended session had left. The sender's own time
 * replaces the first.
 *
 * @throws Error for an envelope that no runtime would have accepted
 */
export function recordOf(envelope: MacpEnvelope, { rules, descriptor }: SessionBasis): SessionRecord {
  const read = readEnvelope(envelope);
  if (!read.ok) throw new Error(read.refusal.message);
  const message = read.value;
  const base = { time: message.timestamp_unix_ms, principal: message.sender };
  if (!isSessionMessage(message)) {
    const ends = descriptor?.terminal_message_types.includes(message.message_type) === true;
    const accepted = { ...base, type: 'message_accepted', envelope: message } as const;
    return ends ? { ...accepted, facts: { ends_session: true } } : accepted;
  }
  switch (message.message_type) {
    case 'SessionStart': {
      const policy_id = policyIdOf(message.payload.policy_version);
      const limit = { max_suspended_ms: maxSuspendedFor(message.payload) };
      const facts = { policy_id, rules, ...limit, ...defined({ mode_descriptor: descriptor }) };
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
