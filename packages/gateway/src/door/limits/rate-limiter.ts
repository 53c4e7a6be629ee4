import { type Refusal, refuse } from '@proffer/core';
import type { Rate } from '../../config/index.js';

/** Counts each key (a participant) against a rate. */
export interface RateLimiter {
  /**
   * Takes from a key's allowance, or refuses with the limit and `retry_after_ms` and takes nothing.
   *
   * @param now - milliseconds; when the clock goes back, the allowance refills from there
   * @param cost - how much it counts; capped at the rate's count
   */
  readonly take: (key: string, now: number, cost?: number) => Refusal | undefined;
  /** Takes what a key did elsewhere from its allowance, even more than is left: that is made up for later. */
  readonly charge: (key: string, now: number, cost: number) => void;
  /** The burst of a key. */
  readonly count: number;
  /** The remembered keys: those active within the last period. */
  readonly size: () => number;
}

/** What is left of an allowance at a time: in fractions of 1/`period`, so it is a whole number. */
interface Bucket {
  left: number;
  at: number;
  /** When it was moved to the end. */
  queuedAt: number;
}

/** How many old buckets one call checks: more than it can add, so their number decreases. */
const SWEEP = 2;

/** How often a busy bucket is moved to the end, per period. */
const MOVES = 8;

/**
 * A token bucket for each key: `count` at once, refilled evenly within `period`. One that has been unused for
 * a period is full, like a new one, so it is forgotten (I-7): memory is bounded by the keys active in a
 * period, and each call costs the same (I-8).
 *
 * @param code - the refusal code: MACP spells it differently
 */
export function createRateLimiter(
  { count, period }: Rate,
  code: 'rate_limited' | 'RATE_LIMITED' = 'rate_limited',
): RateLimiter {
  const full = count * period;
  // Ordered by last use, approximately, because a bucket is moved to the end only occasionally: doing it each
  // time would make a busy map rehash all the time.
  const buckets = new Map<string, Bucket>();

  function forgetIdle(now: number): void {
    let looked = 0;
    for (const [key, { at, left }] of buckets) {
      // Excess from elsewhere is not forgotten before it is made up for. A bucket from the future is due to a
      // wrong clock.
      if (Math.abs(now - at) < (left < 0 ? 2 * period : period) || ++looked > SWEEP) return;
      buckets.delete(key);
    }
  }

  /** What a key has at a time. A bucket from the future counts from now on: nobody waits for that time. */
  function leftAt(bucket: Bucket | undefined, now: number): number {
    if (bucket === undefined) return full;
    if (bucket.at > now) bucket.at = bucket.queuedAt = now;
    return Math.min(full, bucket.left + (now - bucket.at) * count);
  }

  function putLast(key: string, bucket: Bucket): void {
    buckets.delete(key);
    buckets.set(key, bucket);
  }

  return {
    take: (key, now, cost = 1) => {
      const bucket = buckets.get(key);
      const left = leftAt(bucket, now);
      forgetIdle(now);
      const wanted = Math.min(cost * period, full);
      if (left >= wanted) {
        if (bucket === undefined || now - bucket.queuedAt >= period / MOVES) {
          putLast(key, { left: left - wanted, at: now, queuedAt: now });
        } else {
          bucket.left = left - wanted;
          bucket.at = now;
        }
        return undefined;
      }
      const wait = Math.ceil((wanted - left) / count);
      const limit = `${count} in ${period} ms`;
      return refuse(code, `That is more than ${limit}.`, {
        limit: count,
        period_ms: period,
        retry_after_ms: wait,
      });
    },
    charge(key, now, cost) {
      // At most one period of debt.
      const left = Math.max(-full, leftAt(buckets.get(key), now) - cost * period);
      putLast(key, { left, at: now, queuedAt: now });
    },
    count,
    size: () => buckets.size,
  };
}
