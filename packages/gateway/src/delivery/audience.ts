import { namesReachedBy, type SpaceSettings } from '@proffer/core/operations';
import type { StoredOperation } from './batch.js';
import { type Following, getsEverything } from './subscriber.js';

/**
 * The live subscribers of a space. Those that get only what concerns them are found by name, so that a message between
 * two costs nothing for connections that do not get it (I-7).
 */
export interface Audience extends Iterable<Following> {
  readonly size: number;
  add(subscriber: Following): void;
  delete(subscriber: Following): void;
  /** Calls back for each that may get some of these records; it may be deleted during the call. */
  forEachReached(records: readonly StoredOperation[], visit: (subscriber: Following) => void): void;
}

export function createAudience(settings: Pick<SpaceSettings, 'visibility'>): Audience {
  const whole = new Set<Following>();
  /** By name, and as `role:…`. */
  const byName = new Map<string, Set<Following>>();
  const named = new Set<Following>();

  function* all(): Generator<Following> {
    yield* whole;
    yield* named;
  }

  return {
    [Symbol.iterator]: all,
    get size() {
      return whole.size + named.size;
    },
    add(subscriber) {
      if (getsEverything(subscriber, settings)) return void whole.add(subscriber);
      named.add(subscriber);
      for (const key of keysOf(subscriber)) {
        const same = byName.get(key) ?? new Set();
        byName.set(key, same.add(subscriber));
      }
    },
    delete(subscriber) {
      if (whole.delete(subscriber) || !named.delete(subscriber)) return;
      for (const key of keysOf(subscriber)) {
        const same = byName.get(key);
        same?.delete(subscriber);
        if (same?.size === 0) byName.delete(key);
      }
    },
    forEachReached(records, visit) {
      for (const subscriber of whole) visit(subscriber);
      if (named.size === 0) return;
      const names = namesOf(records);
      if (names === undefined) {
        for (const subscriber of named) visit(subscriber);
        return;
      }
      // A subscriber may be reached by name and by role.
      const reached = new Set<Following>();
      for (const name of names) for (const subscriber of byName.get(name) ?? []) reached.add(subscriber);
      for (const subscriber of reached) visit(subscriber);
    },
  };
}

function keysOf({ name, roles = [] }: Following): readonly string[] {
  return [name, ...roles.map((role) => `role:${role}`)];
}

/** Everyone that one of the records reaches by name; `undefined` if one of them goes to everyone. */
function namesOf(records: readonly StoredOperation[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const record of records) {
    const reached = namesReachedBy(record);
    if (reached === undefined) return undefined;
    for (const name of reached) names.add(name);
  }
  return names;
}
