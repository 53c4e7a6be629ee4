import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { describeSessionId } from '../wire/session-id.js';
import type { Session, SessionStatus } from './session.js';

/** The refusal for an unknown session. */
export function refuseUnknownSession(sessionId: string): Refusal {
  return refuse('SESSION_NOT_FOUND', `Session ${quote(sessionId)} not found.`, {
    session_id: describeSessionId(sessionId),
  });
}

/** The refusal for the start of a session whose id is taken (N-2). */
export function refuseExisting(sessionId: string): Refusal {
  return refuse('SESSION_ALREADY_EXISTS', `Session ${quote(sessionId)} already exists.`, {
    session_id: describeSessionId(sessionId),
  });
}

/** The refusal for a session whose state does not allow the request. */
export function refuseState(
  { id }: Session,
  status: SessionStatus,
  expected: SessionStatus | 'OPEN or SUSPENDED',
): Refusal {
  return refuse('SESSION_NOT_OPEN', `Session ${quote(id)} is ${status}, not ${expected}.`, {
    field: 'session_state',
    found: status,
    expected,
  });
}
