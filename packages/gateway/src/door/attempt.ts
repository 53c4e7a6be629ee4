import { failure, type Result } from '@proffer/core';
import type { Company, RateLimiter } from './limits/index.js';

export interface AttemptOptions<Rights> {
  readonly name: string;
  /** The visitor's current rights. */
  readonly rights: () => Result<Rights>;
  readonly rate: RateLimiter;
  readonly company: Company;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Creates the check that every message must pass before it is decoded, on every transport and in both planes:
 * its sender still has its rights, and is within its rate.
 */
export function createAttempt<Rights>(options: AttemptOptions<Rights>): () => Result<Rights> {
  const { name, rights, rate, company, clock } = options;
  return () => {
    const allowed = rights();
    if (!allowed.ok) return allowed;
    company.came(name);
    const refused = rate.take(name, clock());
    return refused === undefined ? allowed : failure(refused);
  };
}
