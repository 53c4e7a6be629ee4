import { namesTakingPart, type Session, type SessionState } from '@proffer/core/negotiation';

/** Where a session is in a list: the oldest comes first, and sessions of one moment are ordered by id. */
export type ListedSession = Pick<Session, 'id' | 'startedAt'>;

export function inListOrder(left: ListedSession, right: ListedSession): number {
  return left.startedAt - right.startedAt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

/** Which sessions someone takes part in, without searching all of them (I-8). */
export interface SessionIndex {
  /** Adds a session, once it has started. */
  add(session: SessionState): void;
  remove(session: SessionState): void;
  /** The sessions that any of these takes part in, each once, oldest first. */
  of(names: readonly string[]): readonly ListedSession[];
}

/** Who may be able to read a session; those who look it up are checked again. */
function readersOf(session: Session): ReadonlySet<string> {
  return new Set(namesTakingPart(session)).add(session.startedBy);
}

export function createSessionIndex(): SessionIndex {
  const sessions = new Map<string, Map<string, ListedSession>>();
  return {
    add(session) {
      if (session === undefined) return;
      const { id, startedAt } = session;
      // Not the session itself, which would keep its whole future in memory.
      const entry = { id, startedAt };
      for (const name of readersOf(session)) {
        const own = sessions.get(name) ?? new Map();
        sessions.set(name, own.set(id, entry));
      }
    },
    remove(session) {
      if (session === undefined) return;
      for (const name of readersOf(session)) {
        const own = sessions.get(name);
        own?.delete(session.id);
        if (own?.size === 0) sessions.delete(name);
      }
    },
    of(names) {
      const own = new Map(names.flatMap((name) => [...(sessions.get(name) ?? [])]));
      return [...own.values()].sort(inListOrder);
    },
  };
}
