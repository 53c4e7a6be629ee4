import { type Refusal, refuse } from '@proffer/core';
import { describe, type JsonObject } from '@proffer/core/json';
import { parseDuration } from '../../../config/index.js';
import type { Draft } from './action.js';

/** `{ for: "1h" }` is `ttl` in human form. */
export function composeGrant({ for: given, ...payload }: JsonObject): Draft | Refusal {
  const kind = 'mcpx.grant.capability';
  if (given === undefined) return { kind, payload };
  const field = 'for';
  if (payload['until'] !== undefined)
    return refuse('invalid_field', 'The body has both for and until.', { field, expected: 'one of them' });
  const time = typeof given === 'string' ? parseDuration(given) : undefined;
  if (time === undefined || time === 0) {
    const expected = 'a duration such as 30m, 1h or 1d';
    return refuse('invalid_field', `for is ${describe(given)}.`, { field, found: given, expected });
  }
  return { kind, payload: { ...payload, ttl: time } };
}
