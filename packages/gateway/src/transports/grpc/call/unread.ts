/** Bytes sent on the streams of one token on a connection that its peer has not read yet (I-7). */
export interface UnreadBytes {
  /** Whether there are no streams and nothing is unread. */
  isIdle(): boolean;
  /** Counts a stream in; the returned function counts it out. */
  join(): () => void;
  wrote(bytes: number): void;
  taken(bytes: number): void;
  /**
   * How many of a stream's bytes count as unread: all, as long as there is room. Beyond that, the total if it
   * has more than its share, and the limit if not: so what can wait waits, and only a stream with more than
   * its share is disconnected.
   */
  countFor(own: number): number;
  /** Resolves when a stream with this many unread bytes may be sent more, or has ended. */
  roomFor(own: () => number, isOver: () => boolean): Promise<void>;
}

/** How many waiters are released at once: each may write. */
const AT_ONCE = 16;

/** @param most - allowed bytes */
export function createUnread(most: number): UnreadBytes {
  const waiting: (() => void)[] = [];
  let bytes = 0;
  let streams = 0;

  const isMuch = (): boolean => bytes > most / 2;
  const hasMoreThanItsShare = (own: number): boolean => own > most / 2 / Math.max(1, streams);
  const isFull = (own: number): boolean => bytes > most || (isMuch() && hasMoreThanItsShare(own));

  function wake(): void {
    if (bytes > most) return;
    for (const resume of waiting.splice(0, AT_ONCE)) resume();
    // The released ones may have had nothing to write, and then nobody would call again.
    if (waiting.length > 0 && !isMuch()) setImmediate(wake);
  }

  return {
    isIdle: () => streams === 0 && bytes <= 0,
    join() {
      streams++;
      return () => void streams--;
    },
    wrote(more) {
      bytes += more;
    },
    taken(some) {
      bytes -= some;
      if (waiting.length > 0) wake();
    },
    countFor(own) {
      if (!isFull(own)) return own;
      return hasMoreThanItsShare(own) ? bytes : most;
    },
    async roomFor(own, isOver) {
      while (!isOver() && isFull(own())) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
  };
}

/** Above this many tokens of one connection, idle ones are forgotten. */
const MANY = 64;

/**
 * Each token of a connection separately: behind a TLS proxy many share one, and a slow reader must not block the
 * others.
 */
export function createUnreadByToken(most: number): (token: string | undefined) => UnreadBytes {
  const byToken = new Map<string | undefined, UnreadBytes>();
  return (token) => {
    const known = byToken.get(token);
    if (known !== undefined) return known;
    if (byToken.size >= MANY) {
      for (const [other, unread] of byToken) if (unread.isIdle()) byToken.delete(other);
    }
    const unread = createUnread(most);
    byToken.set(token, unread);
    return unread;
  };
}
