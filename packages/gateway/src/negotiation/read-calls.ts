import {
  describeSession,
  failure,
  isFinal,
  type MacpEnvelope,
  macpRefusal,
  mayRead,
  type Result,
  readableSession,
  refuse,
  type Session,
  sessionStream,
  success,
} from '@proffer/core';
import type { NegotiationRights } from '../auth/index.js';
import type { CallsOptions } from './party.js';
import type { AcceptedRecord, Party, SessionLifecycleEvent, SessionList } from './runtime.js';

/** The longest list of sessions. */
const MOST_LISTED = 1_000;

type ReadCalls = Pick<
  Party,
  'session' | 'sessions' | 'history' | 'follow' | 'watchSessions' | 'watchSignals'
>;

/** What a party may read of sessions, and follow (N-8). Reading counts as a message: a page can cost as much as many. */
export function createReadCalls({ plane, rates, name, rights, mayStay }: CallsOptions): ReadCalls {
  const { sessions, clock } = plane;

  function readingRights(): Result<NegotiationRights> {
    const current = rights();
    const refused = current.ok ? rates.messages.take(name, clock()) : undefined;
    return refused === undefined ? current : failure(refused);
  }

  async function readable(id: string): Promise<Result<Session>> {
    const current = readingRights();
    if (!current.ok) return current;
    return await reading(async () => readableSession(await sessions.find(id), current.value, id));
  }

  async function reading<Value>(read: () => Promise<Result<Value>>): Promise<Result<Value>> {
    try {
      return await read();
    } catch (error) {
      plane.report(error);
      return failure(macpRefusal(refuse('unavailable', 'The journal could not be read.')));
    }
  }

  /** Whether a session may be read as of now. Keeps its terms, which never change: a session would keep all that it becomes. */
  function mayFollow({ terms }: Session): () => boolean {
    return () => {
      const current = rights();
      return current.ok && mayRead({ terms }, current.value);
    };
  }

  const isFor = (session: Session): boolean => mayFollow(session)();

  return {
    async session(sessionId) {
      const found = await readable(sessionId);
      return found.ok ? success(describeSession(found.value, clock())) : found;
    },

    sessions() {
      const current = readingRights();
      if (!current.ok) return Promise.resolve(current);
      const own = [...sessions.all()].filter((session) => mayRead(session, current.value));
      const list: SessionList = {
        sessions: own.slice(-MOST_LISTED).map((session) => describeSession(session, clock())),
        more: Math.max(0, own.length - MOST_LISTED),
      };
      return Promise.resolve(success(list));
    },

    async history(sessionId, afterSequence, { records: most, size: largest }) {
      const found = await readable(sessionId);
      if (!found.ok) return found;
      return await reading(async () => {
        const records: AcceptedRecord[] = [];
        let size = 0;
        for await (const record of plane.journal.read(sessionStream(sessionId), afterSequence + 1)) {
          size += JSON.stringify(record.envelope).length;
          if (records.push(record as AcceptedRecord) >= most || size >= largest) break;
        }
        return success(records);
      });
    },

    async follow(sessionId, afterSequence, listener) {
      const found = await readable(sessionId);
      if (!found.ok) return found;
      const following = { listener, mayStay: mayFollow(found.value) };
      return success(plane.followers.follow(sessionId, afterSequence, following));
    },

    watchSessions(listener) {
      const current = readingRights();
      if (!current.ok) return current;
      const now = clock();
      const open = [...sessions.all()].filter((session) => !isFinal(session.status) && isFor(session));
      const subscription = plane.lifecycle.listen(listener, {
        first: asCreated(open, now),
        pick: ({ session, event }) => (isFor(session) ? event : undefined),
        mayStay,
      });
      return success(subscription);
    },

    watchSignals(listener) {
      const current = rights();
      if (!current.ok) return current;
      return success(plane.signals.listen<MacpEnvelope>(listener, { pick: (envelope) => envelope, mayStay }));
    },
  };
}

/** Sessions that there are, told as new to somebody who hears of them for the first time. */
function* asCreated(sessions: readonly Session[], now: number): Generator<SessionLifecycleEvent> {
  for (const session of sessions) {
    yield { event_type: 'CREATED', session: describeSession(session, now), observed_at_unix_ms: now };
  }
}
