import type { Decision } from '../../decision.js';
import { GATEWAY } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { modeOf } from '../modes/registry.js';
import type { ControlCommand, ExpireCommand } from './commands.js';
import { readableSession } from './reading.js';
import type { SessionRecord } from './records.js';
import { refuseState, refuseUnknownSession } from './refusals.js';
import { runtimeEnvelope } from './runtime-envelope.js';
import { isFinal, type Session, type SessionState, statusAt } from './session.js';
import { maySpeakFor, type SessionCaller } from './session-caller.js';

/**
 * Cancels, suspends or resumes a session for its initiator (N-4). Each adds an envelope of the
 * runtime. Cancelling a cancelled session makes no difference: it may be a client's retry. What the
 * state does not allow is refused with `SESSION_NOT_OPEN`, other participants with `FORBIDDEN`; for
 * those who may not read it (N-8), the session does not exist.
 */
export function decideControl(
  state: SessionState,
  command: ControlCommand,
  now: number,
): Decision<SessionRecord> {
  const { caller, sessionId } = command;
  const found = readableSession(state, caller, sessionId);
  if (!found.ok) return { refused: found.refusal };
  const session = found.value;
  if (!mayControl(session, caller)) return { refused: refuseOther(session, command) };
  switch (command.type) {
    case 'cancel':
      return cancel(session, command, now);
    case 'suspend':
      return suspend(session, command, now);
    case 'resume':
      return resume(session, command, now);
  }
}

/**
 * Records that a session has expired (N-5): once, and only when it really has. Before that there is
 * nothing to record; afterwards it makes no difference.
 */
export function decideExpiry(
  state: SessionState,
  { sessionId }: ExpireCommand,
  now: number,
): Decision<SessionRecord> {
  if (state?.id !== sessionId) return { refused: refuseUnknownSession(sessionId) };
  if (isFinal(state.status)) return { unchanged: 'late' };
  if (statusAt(state, now) !== 'EXPIRED') return { records: [] };
  const envelope = runtimeEnvelope(state, now, 'TtlExpired', {});
  return { records: [{ type: 'session_expired', time: now, principal: GATEWAY, envelope }] };
}

/**
 * N-4: the initiator, or a caller that may act for it by name. If everyone may act for anyone, as
 * in dev mode, that would be everyone: then it is the caller that started the session for its
 * initiator.
 */
function mayControl({ terms, startedBy }: Session, caller: SessionCaller): boolean {
  if (caller.actAs !== 'anyone') return maySpeakFor(caller, terms.initiator);
  return caller.name === terms.initiator || caller.name === startedBy;
}

function cancel(session: Session, command: ControlCommand, now: number): Decision<SessionRecord> {
  const status = statusAt(session, now);
  if (status === 'CANCELLED') return { unchanged: 'late' };
  if (isFinal(status)) return { refused: refuseState(session, status, 'OPEN or SUSPENDED') };
  const principal = command.caller.name;
  const payload = { reason: command.reason, cancelled_by: principal };
  const envelope = runtimeEnvelope(session, now, 'SessionCancel', payload);
  return { records: [{ type: 'session_cancelled', time: now, principal, envelope }] };
}

function suspend(session: Session, command: ControlCommand, now: number): Decision<SessionRecord> {
  const status = statusAt(session, now);
  if (status !== 'OPEN') return { refused: refuseState(session, status, 'OPEN') };
  const closed = modeOf(session).checkOpen(session.negotiation, session.terms);
  if (closed !== undefined) return { refused: closed };
  const principal = command.caller.name;
  const payload = { reason: command.reason, suspended_by: principal };
  const envelope = runtimeEnvelope(session, now, 'SessionSuspend', payload);
  // A clock that was set back must not bank more than the session had when its time started to run.
  const facts = { banked_ms: session.deadline - Math.max(now, session.openedAt) };
  return { records: [{ type: 'session_suspended', time: now, principal, envelope, facts }] };
}

function resume(session: Session, command: ControlCommand, now: number): Decision<SessionRecord> {
  const status = statusAt(session, now);
  if (status !== 'SUSPENDED' || session.suspension === undefined) {
    return { refused: refuseState(session, status, 'SUSPENDED') };
  }
  const principal = command.caller.name;
  const { bankedMs: banked_ms, since } = session.suspension;
  const payload = { reason: command.reason, resumed_by: principal, banked_ms };
  const envelope = runtimeEnvelope(session, now, 'SessionResume', payload);
  // A clock that was set back must not add suspended time.
  const facts = { banked_ms, suspended_ms: Math.max(0, now - since) };
  return { records: [{ type: 'session_resumed', time: now, principal, envelope, facts }] };
}

function refuseOther({ terms }: Session, { caller, type }: ControlCommand): Refusal {
  const { initiator } = terms;
  const what = `${quote(caller.name)} may not ${type} this session: only its initiator ${quote(initiator)} may.`;
  return refuse('FORBIDDEN', what, { field: 'sender', found: quote(caller.name), expected: initiator });
}
