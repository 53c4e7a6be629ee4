import { type Refusal, refuse } from '@proffer/core';
import type { Rate } from '../config/index.js';
import { createRateLimiter } from './rate-limiter.js';

/**
 * Counts the bad messages of one connection (O-5). Nothing while they are within the rate, so that a
 * slip now and then over a long life costs nothing; then `too_many_bad_messages`, after which the
 * connection should be closed.
 */
export function createBadMessageCounter({ count, period }: Rate): (now: number) => Refusal | undefined {
  const limiter = createRateLimiter({ count, period });
  return (now) => {
    if (limiter.take('', now) === undefined) return undefined;
    const what = `There were more than ${count} messages in ${period} ms that could not be read.`;
    return refuse('too_many_bad_messages', what, { limit: count, period_ms: period });
  };
}
