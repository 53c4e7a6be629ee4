import { VersionedMap } from '../../collections/versioned-map.js';
import { applyMessage, NOTHING_SAID } from '../mode/negotiation.js';
import type { MessageAccepted, SessionRecord, SessionStarted } from './records.js';
import type { Activity, Session, SessionState } from './session.js';

/** The session after one more record. Costs the same however long the session is (I-8). */
export function evolveSession(state: SessionState, record: SessionRecord): SessionState {
  if (record.type === 'session_started') return begin(record);
  // A stream begins with its start; without it there is nothing that a record could change.
  if (state === undefined) return undefined;
  const session = { ...state, version: state.version + 1 };
  switch (record.type) {
    case 'message_accepted':
      return listen(session, record);
    case 'session_suspended': {
      const suspension = { since: record.time, bankedMs: record.facts.banked_ms };
      return { ...session, status: 'SUSPENDED', suspension };
    }
    case 'session_resumed': {
      const { banked_ms, suspended_ms } = record.facts;
      return {
        ...withoutSuspension(session),
        status: 'OPEN',
        deadline: record.time + banked_ms,
        suspendedMs: session.suspendedMs + suspended_ms,
      };
    }
    case 'session_cancelled':
      return { ...withoutSuspension(session), status: 'CANCELLED' };
    case 'session_expired':
      return { ...withoutSuspension(session), status: 'EXPIRED' };
  }
}

function begin({ envelope, facts, time }: SessionStarted): Session {
  const { payload, sender } = envelope;
  return {
    id: envelope.session_id,
    mode: envelope.mode,
    modeVersion: payload.mode_version,
    configurationVersion: payload.configuration_version,
    policyVersion: facts.policy_id,
    contextId: payload.context_id,
    extensionKeys: Object.keys(payload.extensions).sort(),
    terms: { initiator: sender, participants: new Set(payload.participants), rules: facts.rules },
    startedAt: time,
    status: 'OPEN',
    deadline: time + payload.ttl_ms,
    suspendedMs: 0,
    maxSuspendedMs: facts.max_suspended_ms,
    version: 1,
    messages: VersionedMap.of([[envelope.message_id, 1]]),
    activity: VersionedMap.of([[sender, { messages: 1, lastAt: time }]]),
    negotiation: NOTHING_SAID,
  };
}

function listen(session: Session, { envelope, time }: MessageAccepted): Session {
  const { sender, message_id } = envelope;
  return {
    ...session,
    status: envelope.message_type === 'Commitment' ? 'RESOLVED' : session.status,
    messages: session.messages.set(message_id, session.version),
    activity: session.activity.set(sender, moreActive(session.activity.get(sender), time)),
    negotiation: applyMessage(session.negotiation, session.terms, envelope),
  };
}

function moreActive(before: Activity | undefined, time: number): Activity {
  return { messages: (before?.messages ?? 0) + 1, lastAt: time };
}

function withoutSuspension(session: Session): Session {
  const { suspension: _ended, ...rest } = session;
  return rest;
}
