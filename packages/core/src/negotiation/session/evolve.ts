import { VersionedMap } from '../../collections/versioned-map.js';
import { quote } from '../../json/describe.js';
import { type RecordContent, throwUnsupported } from '../../record/record.js';
import { modeOf } from '../modes/registry.js';
import { contentOf } from './content.js';
import { endingOf } from './ending.js';
import type { MessageAccepted, SessionRecord, SessionStarted } from './records.js';
import { type Activity, expiresAfter, LONGEST_INTENT, type Session, type SessionState } from './session.js';

/**
 * The session after one more record. Costs the same however long the session is (I-8).
 *
 * @throws Error for an unknown record type, and for a stream that does not begin with the start: no
 * state is better than a wrong one
 */
export function evolveSession(state: SessionState, record: SessionRecord): SessionState {
  if (record.type === 'session_started') return begin(record);
  if (state === undefined) return refuseBeginning(record);
  if (record.type === 'message_accepted') return listen(state, record);
  const session = { ...state, version: state.version + 1 };
  switch (record.type) {
    case 'session_suspended': {
      const suspension = { since: record.time, bankedMs: record.facts.banked_ms };
      return { ...session, status: 'SUSPENDED', suspension };
    }
    case 'session_resumed': {
      const { banked_ms, suspended_ms } = record.facts;
      return {
        ...withoutSuspension(session),
        status: 'OPEN',
        openedAt: record.time,
        deadline: record.time + banked_ms,
        suspendedMs: session.suspendedMs + suspended_ms,
      };
    }
    case 'session_cancelled':
      return { ...withoutSuspension(session), status: 'CANCELLED', ending: endingOf(record) };
    case 'session_expired':
      return {
        ...withoutSuspension(session),
        status: 'EXPIRED',
        ending: endingOf(record),
        deadline: expiresAfter(session) ?? session.deadline,
      };
    default:
      return throwUnsupported('record', (record satisfies never as RecordContent).type);
  }
}

function begin({ envelope, facts, time, principal }: SessionStarted): Session {
  const { payload, sender } = envelope;
  const { mode_descriptor: declared } = facts;
  return {
    id: envelope.session_id,
    mode: envelope.mode,
    declared,
    modeVersion: payload.mode_version,
    configurationVersion: payload.configuration_version,
    policyVersion: facts.policy_id,
    namedPolicy: payload.policy_version,
    intent: beginningOf(payload.intent),
    contextId: payload.context_id,
    extensionKeys: Object.keys(payload.extensions).sort(),
    terms: { initiator: sender, participants: new Set(payload.participants), rules: facts.rules },
    startedBy: principal,
    startedAt: time,
    status: 'OPEN',
    openedAt: time,
    deadline: time + payload.ttl_ms,
    suspendedMs: 0,
    maxSuspendedMs: facts.max_suspended_ms,
    version: 1,
    messages: VersionedMap.of([
      [envelope.message_id, { sender, content: contentOf(envelope), sequence: 1, acceptedAt: time }],
    ]),
    activity: VersionedMap.of([[sender, { messages: 1, lastAt: time }]]),
    negotiation: modeOf({ mode: envelope.mode, declared }).initial,
  };
}

/** The common case. Field by field: engines take many times as long to add to a copy. */
function listen(session: Session, record: MessageAccepted): Session {
  const { envelope, time } = record;
  const { sender, message_id } = envelope;
  const version = session.version + 1;
  const ending = endingOf(record);
  return {
    id: session.id,
    mode: session.mode,
    declared: session.declared,
    modeVersion: session.modeVersion,
    configurationVersion: session.configurationVersion,
    policyVersion: session.policyVersion,
    namedPolicy: session.namedPolicy,
    intent: session.intent,
    contextId: session.contextId,
    extensionKeys: session.extensionKeys,
    terms: session.terms,
    startedBy: session.startedBy,
    startedAt: session.startedAt,
    status: ending === undefined ? session.status : 'RESOLVED',
    ending,
    openedAt: session.openedAt,
    deadline: session.deadline,
    suspension: session.suspension,
    suspendedMs: session.suspendedMs,
    maxSuspendedMs: session.maxSuspendedMs,
    version,
    messages: session.messages.set(message_id, {
      sender,
      content: contentOf(envelope),
      sequence: version,
      acceptedAt: time,
    }),
    activity: session.activity.set(sender, moreActive(session.activity.get(sender), time)),
    negotiation: modeOf(session).apply(session.negotiation, session.terms, envelope),
  };
}

/** No more than is kept, and no lone surrogate at the end. */
function beginningOf(intent: string): string {
  return intent.slice(0, LONGEST_INTENT).replace(/[\ud800-\udbff]$/, '');
}

function moreActive(before: Activity | undefined, time: number): Activity {
  return { messages: (before?.messages ?? 0) + 1, lastAt: time };
}

function withoutSuspension(session: Session): Session {
  const { suspension: _ended, ...rest } = session;
  return rest;
}

function refuseBeginning({ type }: SessionRecord): never {
  const what = `A session cannot begin with a record of type ${quote(type)}`;
  throw new Error(`${what}: the journal is damaged, or needs a newer version.`);
}
