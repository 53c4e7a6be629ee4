import type { GrpcCall } from './call.js';

/** The time limit for a request to be complete, in milliseconds. */
const LONGEST = 30_000;

/** How often incomplete requests are checked, in milliseconds. */
const INTERVAL = 5_000;

/** Calls whose request is incomplete: a client that never completes it must not hold it forever (I-7). */
export interface Unfinished {
  begin(call: GrpcCall): Unfinishing;
  end(unfinishing: Unfinishing): void;
  stop(): void;
}

/** Marks a call while it is incomplete. */
export interface Unfinishing {
  readonly call: GrpcCall;
  readonly since: number;
  isComplete: boolean;
}

export function watchUnfinished(clock: () => number): Unfinished {
  // Nearly every request is complete in the turn of the event loop in which it began: those are never sorted
  // in.
  let fresh: Unfinishing[] = [];
  // Oldest first, since none begins twice.
  const waiting = new Set<Unfinishing>();

  function sort(): void {
    for (const one of fresh) if (!one.isComplete) waiting.add(one);
    fresh = [];
  }

  const timer = setInterval(() => {
    const now = clock();
    for (const one of waiting) {
      if (now - one.since < LONGEST) break;
      waiting.delete(one);
      one.call.dismiss(
        'DEADLINE_EXCEEDED',
        `The request was not complete after ${LONGEST / 1_000} seconds. Send it again without pauses.`,
      );
    }
  }, INTERVAL);
  timer.unref();
  return {
    begin(call) {
      const unfinishing = { call, since: clock(), isComplete: false };
      if (fresh.push(unfinishing) === 1) setImmediate(sort);
      return unfinishing;
    },
    end(unfinishing) {
      unfinishing.isComplete = true;
      waiting.delete(unfinishing);
    },
    stop: () => clearInterval(timer),
  };
}
