import { failure, type Result } from '@proffer/core';
import type { ActiveSenders, RateLimiter } from './limits/index.js';

export interface RightsAndRateOptions<Rights> {
  readonly name: string;
  /** The caller's current rights. */
  readonly rights: () => Result<Rights>;
  readonly rate: RateLimiter;
  readonly activeSenders: ActiveSenders;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Creates the check that every message must pass before it is decoded, on every transport, for operations and negotiations:
 * its sender still has its rights, and is within its rate.
 */
export function createRightsAndRateCheck<Rights>(
  options: RightsAndRateOptions<Rights>,
): () => Result<Rights> {
  const { name, rights, rate, activeSenders, clock } = options;
  return () => {
    const allowed = rights();
    if (!allowed.ok) return allowed;
    activeSenders.noteSender(name);
    const refused = rate.take(name, clock());
    return refused === undefined ? allowed : failure(refused);
  };
}
