import type { Clock } from '@proffer/client/own-calls';

/** A rate limit. */
export interface Pace {
  /** Milliseconds until it may happen next; 0 if it may now. */
  wait(): number;
  /** Records an event. */
  take(): void;
}

/** A burst, then one per interval in milliseconds. */
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
