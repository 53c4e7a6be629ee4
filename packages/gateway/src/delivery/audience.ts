import { namesReachedBy, type SpaceSettings } from '@proffer/core/operations';
import type { StoredOperation } from './batch.js';
import { type Following, getsEverything } from './subscriber.js';

/**
 * Those who follow a space live. Who gets only what concerns it is found by name, so that what is said between two
 * costs nothing for each connection that hears nothing of it (I-7).
 */
export interface Audience extends Iterable<Following> {
  readonly size: number;
  add(subscriber: Following): void;
  delete(subscriber: Following): void;
  /** Calls back for each that may get something of these records; it may be deleted meanwhile. */
  forEachReached(records: readonly StoredOperation[], visit: (subscriber: Following) => void): void;
}

export function createAudience(settings: Pick<SpaceSettings, 'visibility'>): Audience {
  const whole = new Set<Following>();
  const byName = new Map<string, Set<Following>>();
  let named = 0;

  function* all(): Generator<Following> {
    yield* whole;
    for (const same of byName.values()) yield* same;
  }

  return {
    [Symbol.iterator]: all,
    get size() {
      return whole.size + named;
    },
    add(subscriber) {
      if (getsEverything(subscriber, settings)) return void whole.add(subscriber);
      const same = byName.get(subscriber.name) ?? new Set();
      byName.set(subscriber.name, same);
      named -= same.size;
      named += same.add(subscriber).size;
    },
    delete(subscriber) {
      if (whole.delete(subscriber)) return;
      const same = byName.get(subscriber.name);
      if (same?.delete(subscriber) !== true) return;
      named--;
      if (same.size === 0) byName.delete(subscriber.name);
    },
    forEachReached(records, visit) {
      for (const subscriber of whole) visit(subscriber);
      if (named === 0) return;
      for (const name of namesOf(records) ?? byName.keys()) {
        for (const subscriber of byName.get(name) ?? []) visit(subscriber);
      }
    },
  };
}

/** Everybody whom one of the records reaches by name; nothing when one of them goes to everybody. */
function namesOf(records: readonly StoredOperation[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const record of records) {
    const reached = namesReachedBy(record);
    if (reached === undefined) return undefined;
    for (const name of reached) names.add(name);
  }
  return names;
}
