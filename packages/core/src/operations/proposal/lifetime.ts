import { describe } from '../../json/describe.js';
import type { JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { SpaceSettings } from '../settings.js';
import type { Proposal } from './proposal.js';

/** When something expires, and when the warning is due; `undefined` if it does not expire. */
export type Lifetime = { readonly expiresAt?: number | undefined; readonly warnAt?: number | undefined };

/**
 * Shorter lives get no warning, and a warning comes at least this long before the end (O-36).
 * Milliseconds.
 */
const SHORTEST_WARNED = 20_000;
const LATEST_WARNING = 10_000;

/** The life that starts now: as requested, or the space's default (O-19). */
export function lifetimeFrom(ttl: JsonValue | undefined, settings: SpaceSettings, now: number): Lifetime {
  const time = typeof ttl === 'number' ? ttl : effectiveTtl(settings);
  if (time === undefined) return {};
  const expiresAt = now + time;
  if (!settings.expiryWarnings || time < SHORTEST_WARNED) return { expiresAt };
  return { expiresAt, warnAt: expiresAt - warningBefore(time) };
}

function warningBefore(time: number): number {
  return Math.max(Math.floor(time / 10), LATEST_WARNING);
}

/** Whether a proposal expires soon enough for a warning (O-36), whether or not the space sends one. */
export function expiresSoon(
  { proposedAt, expiresAt }: Pick<Proposal, 'proposedAt' | 'expiresAt'>,
  now: number,
): boolean {
  return expiresAt !== undefined && expiresAt - now <= warningBefore(expiresAt - proposedAt);
}

/** More than the space allows is refused, not silently shortened. */
export function checkTtl(ttl: JsonValue | undefined, { maxTtl }: SpaceSettings): Refusal | undefined {
  if (maxTtl === undefined || typeof ttl !== 'number' || ttl <= maxTtl) return undefined;
  return refuse('invalid_field', `payload.ttl is ${describe(ttl)}; this space allows ${maxTtl} ms.`, {
    field: 'payload.ttl',
    found: ttl,
    expected: `at most ${maxTtl}`,
  });
}

/** The default for a proposal without a time to live; never more than the maximum. */
function effectiveTtl({ defaultTtl, maxTtl }: SpaceSettings): number | undefined {
  if (defaultTtl === undefined || maxTtl === undefined) return defaultTtl ?? maxTtl;
  return Math.min(defaultTtl, maxTtl);
}
