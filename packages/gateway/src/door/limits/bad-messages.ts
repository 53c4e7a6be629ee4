import { type Refusal, refuse } from '@proffer/core';
import type { Rate } from '../../config/index.js';
import { createRateLimiter } from './rate-limiter.js';

/** Counts one bad message: a refusal once there were too many. */
export type BadMessageCounter = (now: number) => Refusal | undefined;

/** The limit for all connections of a participant together, as a multiple of that for one. */
const CONNECTIONS = 8;

/**
 * Counts the bad messages of one connection (O-5). `undefined` while they are within the rate, so that an occasional
 * slip has no consequence; then `too_many_bad_messages`, after which the connection should be closed.
 */
export function createBadMessageCounter({ count, period }: Rate): BadMessageCounter {
  const limiter = createRateLimiter({ count, period });
  return (now) =>
    limiter.take('', now) === undefined ? undefined : refuseBad({ count, period }, 'on this connection');
}

/**
 * Counts the bad messages of each connection of a participant, with a limit over all its connections: reconnecting before
 * being disconnected gains nothing (I-7).
 *
 * @returns a function that creates the counter of a new connection
 */
export function createBadMessageCounters(rate: Rate): (participant: string) => BadMessageCounter {
  const whole = { count: rate.count * CONNECTIONS, period: rate.period };
  const ofAll = createRateLimiter(whole);
  return (participant) => {
    const ofOne = createBadMessageCounter(rate);
    return (now) => {
      const isWithin = ofAll.take(participant, now) === undefined;
      return ofOne(now) ?? (isWithin ? undefined : refuseBad(whole, 'on all connections together'));
    };
  };
}

function refuseBad({ count, period }: Rate, where: string): Refusal {
  const what = `More than ${count} messages in ${period} ms could not be read ${where}.`;
  return refuse('too_many_bad_messages', what, { limit: count, period_ms: period });
}
