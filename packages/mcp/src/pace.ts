import type { Clock } from './clock.js';

/** How often something may happen. */
export interface Pace {
  /** Milliseconds until it may happen next; 0 if it may now. */
  wait(): number;
  /** It happens now. */
  take(): void;
}

/** So many times at once, then once in that many milliseconds. */
export function createPace({
  clock,
  burst,
  every,
}: {
  readonly clock: Clock;
  readonly burst: number;
  readonly every: number;
}): Pace {
  let left = burst;
  let at = clock.now();
  const refill = (): void => {
    const now = clock.now();
    left = Math.min(burst, left + Math.max(0, now - at) / every);
    at = now;
  };
  return {
    wait() {
      refill();
      return left >= 1 ? 0 : Math.ceil((1 - left) * every);
    },
    take() {
      refill();
      left = Math.max(0, left - 1);
    },
  };
}
