import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { defined, quote } from '@proffer/core/json';
import {
  describeSession,
  isFinal,
  isSessionId,
  type MacpEnvelope,
  macpRefusal,
  mayKnowRemoved,
  mayRead,
  readableSession,
  readCandidate,
  type Session,
  sessionStream,
} from '@proffer/core/negotiation';
import { refusalForJournalError } from '../../journal/index.js';
import type { AcceptedRecord, NegotiationCalls, SessionLifecycleEvent } from '../runtime.js';
import { listSessions } from '../sessions/list-sessions.js';
import { readSessionPage } from '../sessions/session-history.js';
import type { CallsOptions } from './negotiation-caller.js';

type ReadCalls = Pick<
  NegotiationCalls,
  | 'asked'
  | 'session'
  | 'sessions'
  | 'sessionPage'
  | 'history'
  | 'follow'
  | 'followSent'
  | 'whatIf'
  | 'receipt'
  | 'watchSessions'
  | 'watchSignals'
>;

/** What a caller may read of sessions, and follow (N-8). */
export function createReadCalls({ negotiation, rights, mayStay, evidence }: CallsOptions): ReadCalls {
  const { sessions, clock } = negotiation;

  async function readable(id: string): Promise<Result<Session>> {
    const current = rights();
    if (!current.ok) return current;
    return await reading(async () => readableSession(await sessions.find(id), current.value, id));
  }

  /** A client that asks for a page after a number that does not exist would miss what gets that number later. */
  async function readableAfter(id: string, after: number): Promise<Result<Session>> {
    const found = await readableHistory(id);
    if (!found.ok || after === 0) return found;
    return await reading(async () => {
      const last = await lastSequence(id, after);
      return after <= last ? found : failure(refuseBeyond(after, last));
    });
  }

  /** @param seen - what the caller has seen, perhaps at another gateway that was ahead of this one */
  async function lastSequence(id: string, seen: number): Promise<number> {
    return (await negotiation.journal.head(sessionStream(id), seen)).version;
  }

  /** For readers of history: that it is gone is another answer than that there was never any (N-28). */
  async function readableHistory(id: string): Promise<Result<Session>> {
    const found = await readable(id);
    if (found.ok || found.refusal.code !== 'SESSION_NOT_FOUND' || !isSessionId(id)) return found;
    const current = rights();
    if (!current.ok || !mayKnowRemoved(current.value)) return found;
    return await reading(async () => {
      const { removed } = await negotiation.journal.head(sessionStream(id));
      return removed === 0 ? found : failure(refuseRemoved(id, removed));
    });
  }

  async function reading<Value>(read: () => Promise<Result<Value>>): Promise<Result<Value>> {
    try {
      return await read();
    } catch (error) {
      negotiation.report(error);
      return failure(macpRefusal(refusalForJournalError(error)));
    }
  }

  /**
   * Whether a session may currently be read. Keeps only its terms, which never change: keeping the session
   * would keep its whole future.
   */
  function mayFollow({ terms, mode, declared, startedBy }: Session): () => boolean {
    return () => {
      const current = rights();
      return current.ok && mayRead({ terms, mode, declared, startedBy }, current.value);
    };
  }

  const isFor = (session: Session): boolean => mayFollow(session)();

  /** Existing sessions, reported as new to someone who sees them for the first time. */
  function* asCreated(ids: readonly string[]): Generator<SessionLifecycleEvent> {
    for (const id of ids) {
      const session = sessions.now(id);
      const now = clock();
      if (session === undefined || !isFor(session)) continue;
      yield { event_type: 'CREATED', session: describeSession(session, now), observed_at_unix_ms: now };
    }
  }

  return {
    asked: (read) => (read.ok ? read : failure(macpRefusal(read.refusal))),

    async session(sessionId) {
      const found = await readable(sessionId);
      if (!found.ok) return found;
      const { declared: mode_descriptor, terms } = found.value;
      const { rules } = terms;
      return success({ ...describeSession(found.value, clock()), rules, ...defined({ mode_descriptor }) });
    },

    async sessions(toForm, isOver = () => false, page = {}) {
      const current = rights();
      if (!current.ok) return current;
      await negotiation.listing.acquire();
      try {
        return success(
          await listSessions(sessions, { ...page, rights: current.value, clock, toForm, isOver }),
        );
      } finally {
        negotiation.listing.release();
      }
    },

    async sessionPage(query, toForm, isOver = () => false) {
      const current = rights();
      if (!current.ok) return current;
      await negotiation.listing.acquire();
      try {
        const listing = { rights: current.value, clock, toForm, isOver };
        return await reading(async () => success(await readSessionPage(negotiation, query, listing)));
      } finally {
        negotiation.listing.release();
      }
    },

    async history(sessionId, afterSequence, { records: most, size: largest }) {
      const found = await readableAfter(sessionId, afterSequence);
      if (!found.ok) return found;
      return await reading(async () => {
        const records: AcceptedRecord[] = [];
        let size = 0;
        for await (const record of negotiation.journal.read(sessionStream(sessionId), afterSequence + 1)) {
          size += JSON.stringify(record.envelope).length;
          if (records.push(record as AcceptedRecord) >= most || size >= largest) break;
        }
        return success(records);
      });
    },

    async whatIf(sessionId, candidate) {
      const found = await readableHistory(sessionId);
      if (!found.ok) return found;
      const policy = readCandidate(candidate, found.value.mode, negotiation.defaultPolicy);
      if (!policy.ok) return policy;
      await negotiation.listing.acquire();
      try {
        // Loaded on demand: protobuf is a large part of a gateway's startup.
        const { reportWhatIf } = await import('../what-if.js');
        return await reading(() => reportWhatIf(negotiation.journal, found.value, policy.value));
      } finally {
        negotiation.listing.release();
      }
    },

    async receipt(sessionId) {
      const found = await readableHistory(sessionId);
      if (!found.ok) return found;
      const { makeReceipt } = await import('../receipts.js');
      return await reading(() => makeReceipt(negotiation.journal, found.value, evidence()));
    },

    async follow(sessionId, afterSequence, listener) {
      const found = await readableHistory(sessionId);
      if (!found.ok) return found;
      const following = { listener, mayStay: mayFollow(found.value) };
      return await reading(async () => {
        const after =
          afterSequence === 0 ? 0 : Math.min(afterSequence, await lastSequence(sessionId, afterSequence));
        return success(negotiation.followers.follow(sessionId, after, following));
      });
    },

    async followSent(sessionId, sequence, listener) {
      const found = await readable(sessionId);
      if (!found.ok) return found;
      const following = { listener, mayStay: mayFollow(found.value) };
      return success(negotiation.followers.follow(sessionId, sequence - 1, following));
    },

    watchSessions(listener) {
      const current = rights();
      if (!current.ok) return current;
      const readableIds = sessions.readableBy(current.value).map(({ id }) => id);
      const open = readableIds.filter((id) => {
        const session = sessions.now(id);
        return session !== undefined && !isFinal(session.status) && isFor(session);
      });
      const subscription = negotiation.lifecycle.listen(listener, {
        first: asCreated(open),
        pick: ({ session, event }) => (isFor(session) ? event : undefined),
        mayStay,
      });
      return success(subscription);
    },

    watchSignals(listener) {
      const current = rights();
      if (!current.ok) return current;
      return success(
        negotiation.signals.listen<MacpEnvelope>(listener, { pick: (envelope) => envelope, mayStay }),
      );
    },
  };
}

function refuseRemoved(id: string, removed: number): Refusal {
  const what = `The history of session ${quote(id)} was removed, because it is older than the journal keeps sessions.`;
  return refuse('HISTORY_UNAVAILABLE', what, { lowest_available_sequence: removed + 1 });
}

function refuseBeyond(after: number, last: number): Refusal {
  const what = `Sequence number ${after} does not exist yet; the last one is ${last}.`;
  const details = { field: 'after_sequence', found: after, expected: `at most ${last}` };
  return refuse('INVALID_ENVELOPE', what, details);
}
