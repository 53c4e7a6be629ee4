import type { Clock } from '@proffer/client/own-calls';

/** A clock that advances only when told to. */
export interface TestClock extends Clock {
  /** Advances the clock, and runs due callbacks in order. */
  pass(milliseconds: number): void;
}

export function createTestClock(start = 1_700_000_000_000): TestClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.callback();
      }
      now = until;
    },
  };
}
