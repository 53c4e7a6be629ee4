import { evolveSession } from './evolve.js';
import { describeSession, type SessionMetadata } from './reading.js';
import type { SessionRecord, SessionStarted } from './records.js';
import type { Session } from './session.js';

/** The terms of a session, from its first record alone: enough to know who may read it (N-8). */
export function beginSession(start: SessionStarted): Session {
  // A start creates a session from nothing.
  return evolveSession(undefined, start) as Session;
}

/**
 * Describes a session that ended, from its first record and its last, however long it was (I-8). What its participants
 * did in between is left out.
 */
export function summarizeSession(
  begun: Session,
  last: SessionRecord & { readonly version: number },
): SessionMetadata {
  const before: Session = { ...begun, version: last.version - 1 };
  const session = last.version === 1 ? begun : (evolveSession(before, last) ?? begun);
  return { ...describeSession(session, last.time), participant_activity: [] };
}
