import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';

/** A count per key. Keys at zero take no memory. */
export interface Tally {
  readonly count: (key: string) => number;
  readonly add: (key: string) => void;
  /** Decrements; stays at zero. */
  readonly remove: (key: string) => void;
  /** The keys above zero. */
  readonly size: () => number;
  /** The total over all keys. */
  readonly total: () => number;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const count = (key: string) => counts.get(key) ?? 0;
  let total = 0;
  return {
    count,
    add: (key) => {
      counts.set(key, count(key) + 1);
      total++;
    },
    remove: (key) => {
      const before = count(key);
      if (before === 0) return;
      if (before === 1) counts.delete(key);
      else counts.set(key, before - 1);
      total--;
    },
    size: () => counts.size,
    total: () => total,
  };
}

/**
 * Counts a connection out, once, however often it is called. How it ended: the peer was disconnected for what
 * it sent; or a connection that takes a handshake was closed, which must not happen too often; absent for
 * others.
 */
export type ReleaseConnection = (how?: 'thrown out' | 'closed') => void;

/** Counts open connections per credential. */
export interface ConnectionLimiter {
  /**
   * Counts a connection in; the returned function counts it out. Refuses with `too_many_connections` when too
   * many are open, or too many of them recently ended badly (I-7).
   *
   * @param credential - the principal's credential id
   */
  readonly open: (credential: string) => Result<ReleaseConnection>;
  /** Open ones, and those that still count. */
  readonly count: (credential: string) => number;
}

/**
 * How long a connection that was closed for what it sent still counts against its token, in milliseconds:
 * reconnecting at once to continue is limited by the number of connections.
 */
const COOLING = 10_000;

/** And at most this many, however many connections it may have. */
const MAX_COOLING = 8;

/** A connection closed sooner than this is brief, in milliseconds. */
const BRIEF = 1_000;

/**
 * The maximum number of brief connections of a token within that time: making one costs as much as many
 * messages.
 */
const MAX_BRIEF = 100;

/**
 * @param limit - open connections per credential
 * @param noun - what a refusal calls them
 */
export function createConnectionLimiter(limit: number, noun = 'connections'): ConnectionLimiter {
  const connections = createTally();
  const cooling = createTally();
  const brief = createTally();

  function whyNot(credential: string): Refusal | undefined {
    const open = connections.count(credential);
    const thrownOut = cooling.count(credential);
    const closed = brief.count(credential);
    if (open >= limit)
      return refuseMany(`The token has ${open} ${noun} open; the limit is ${limit}.`, { limit, open });
    if (thrownOut >= MAX_COOLING)
      return refuseMany(
        `${thrownOut} connections of the token were closed within ${COOLING} ms for sending unreadable messages.`,
        { limit: MAX_COOLING, open, period_ms: COOLING },
      );
    if (closed >= MAX_BRIEF)
      return refuseMany(`${closed} connections of the token were opened and closed within ${BRIEF} ms.`, {
        limit: MAX_BRIEF,
        open,
        period_ms: BRIEF,
      });
    return undefined;
  }

  function leave(credential: string, how: Parameters<ReleaseConnection>[0], lasted: number): void {
    if (how === 'thrown out') {
      countFor(cooling, credential, COOLING);
      countFor(connections, credential, COOLING);
    } else if (how === 'closed' && lasted < BRIEF) countFor(brief, credential, BRIEF);
    connections.remove(credential);
  }

  return {
    open: (credential) => {
      const refusal = whyNot(credential);
      if (refusal !== undefined) return failure(refusal);
      connections.add(credential);
      const since = performance.now();
      let isOpen = true;
      return success((how) => {
        if (isOpen) leave(credential, how, performance.now() - since);
        isOpen = false;
      });
    },
    count: connections.count,
  };
}

/** Counts one more for a number of milliseconds. */
function countFor(tally: Tally, credential: string, period: number): void {
  tally.add(credential);
  setTimeout(() => tally.remove(credential), period).unref();
}

function refuseMany(what: string, details: Refusal['details']): Refusal {
  return refuse('too_many_connections', what, details);
}
