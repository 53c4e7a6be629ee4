import { VersionedMap } from '../../collections/versioned-map.js';

/**
 * What is remembered for a while. Kept in two generations: when the newer one spans the whole time the older one, now
 * wholly outside, is dropped at once, so that forgetting costs nothing per entry. Each stays for at least the time, and
 * less than twice as long.
 */
export interface Generations<Value extends object | string> {
  readonly newer: VersionedMap<Value>;
  readonly older: VersionedMap<Value>;
  /** When the newer generation began. */
  readonly since: number;
}

const NONE: Generations<never> = { newer: VersionedMap.empty(), older: VersionedMap.empty(), since: 0 };

/** Nothing is remembered yet. */
export function noGenerations<Value extends object | string>(): Generations<Value> {
  return NONE;
}

/** Remembers something, in place of what was remembered under its key. */
export function remember<Value extends object | string>(
  { newer, older: oldest, since }: Generations<Value>,
  [key, value]: readonly [key: string, value: Value],
  { time, window }: { readonly time: number; readonly window: number },
): Generations<Value> {
  if (time - since < window) return { newer: newer.set(key, value), older: oldest, since };
  const { newer: empty } = noGenerations<Value>();
  return { newer: empty.set(key, value), older: time - since < 2 * window ? newer : empty, since: time };
}

/** What is remembered under a key, perhaps for longer than it has to be. */
export function recall<Value extends object | string>(
  { newer, older }: Generations<Value>,
  key: string,
): Value | undefined {
  return newer.get(key) ?? older.get(key);
}

/** Says that nobody reads these again, or any between them and newer ones; see {@link VersionedMap.letGoUntil}. */
export function letGoGenerations<Value extends object | string>(
  before: Generations<Value>,
  now: Generations<Value>,
): void {
  before.newer.letGoUntil(now.newer);
  // When a generation ends, what was the newer one is the older one.
  before.newer.letGoUntil(now.older);
}
