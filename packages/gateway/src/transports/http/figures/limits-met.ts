import { type LimitName, REFUSALS } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { type LimitsConfig, type Rate, writtenKey } from '../../../config/index.js';

/** Every limit that refused something, how often, and its value. */
export function limitsMet(
  limits: LimitsConfig,
  { refusals, fellBehind }: { readonly refusals: ReadonlyMap<string, number>; readonly fellBehind: number },
): readonly JsonObject[] {
  const refused = Object.entries(REFUSALS)
    .filter(([, row]) => row.limits.length > 0)
    .map(([code, row]) => ({
      code,
      met: refusals.get(code) ?? 0,
      limits: row.limits.map((key) => setting(limits, key)),
    }));
  return [
    ...refused,
    { code: 'fell_behind', met: fellBehind, limits: [setting(limits, 'unacknowledgedPerConnection')] },
  ];
}

/** A limit under its name in the configuration. */
function setting(limits: LimitsConfig, key: LimitName | 'unacknowledgedPerConnection'): JsonObject {
  const name = writtenKey(key);
  const value: number | Rate = limits[key];
  return typeof value === 'number' ? { name, value } : { name, value: value.count, per: value.period };
}
