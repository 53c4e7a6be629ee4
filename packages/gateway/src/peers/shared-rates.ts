import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { RateLimiter } from '../door/index.js';

/** Shares a limit across all gateways. */
export interface SharedRates {
  /** A limiter which also counts usage at the others. */
  share(limit: string, limiter: RateLimiter): RateLimiter;
  /** Another gateway reports its usage. */
  hear(limit: JsonValue | undefined, spent: JsonValue | undefined): void;
  stop(): void;
}

/** How long usage here is collected before it is shared, in milliseconds. */
const WAIT = 25;

/** Usage above this fraction of a burst is reported without waiting, so that the others lag only a little. */
const PART = 1 / 50;

/**
 * Each gateway decides by what it knows, and shares its usage a moment later; excess in that moment is made
 * up for afterwards. So over time nobody gets more than at a single gateway.
 *
 * @param clock - milliseconds, the clock used with the limiters
 */
export function createSharedRates(
  tell: (limit: string, spent: JsonObject) => void,
  clock: () => number,
): SharedRates {
  const limiters = new Map<string, RateLimiter>();
  const spent = new Map<string, Map<string, number>>();
  let timer: NodeJS.Timeout | undefined;

  function reportAll(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [limit, costs] of spent) tell(limit, Object.fromEntries(costs));
    spent.clear();
  }

  return {
    share(limit, limiter) {
      limiters.set(limit, limiter);
      return {
        ...limiter,
        take(key, now, cost = 1) {
          const refused = limiter.take(key, now, cost);
          if (refused !== undefined) return refused;
          const costs = spent.get(limit) ?? new Map<string, number>();
          const untold = (costs.get(key) ?? 0) + cost;
          spent.set(limit, costs.set(key, untold));
          if (untold >= limiter.count * PART) reportAll();
          else timer ??= setTimeout(reportAll, WAIT);
          return undefined;
        },
      };
    },
    hear(limit, costs) {
      const limiter = typeof limit === 'string' ? limiters.get(limit) : undefined;
      if (limiter === undefined || !isJsonObject(costs)) return;
      for (const [key, cost] of Object.entries(costs)) {
        if (typeof cost === 'number' && cost > 0) limiter.charge(key, clock(), cost);
      }
    },
    stop: () => clearTimeout(timer),
  };
}
