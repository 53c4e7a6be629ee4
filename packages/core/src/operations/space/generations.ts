import { VersionedMap } from '../../collections/versioned-map.js';

/**
 * Short-term memory. Time is divided into generations of the given duration; entries of the newest
 * one, and of the one before it, are kept, and the rest is dropped at once, so that forgetting costs
 * nothing per entry. Each entry stays for at least the duration, and less than twice as long. What is
 * kept does not depend on arrival order, so everyone who folds the same records remembers the same
 * (I-3).
 */
export interface Generations<Value extends object | string> {
  readonly newer: VersionedMap<Value>;
  readonly older: VersionedMap<Value>;
  /** When the newer generation started. */
  readonly since: number;
}

const NONE: Generations<never> = { newer: VersionedMap.empty(), older: VersionedMap.empty(), since: 0 };

/** Nothing is remembered yet. */
export function emptyGenerations<Value extends object | string>(): Generations<Value> {
  return NONE;
}

/** The start of the generation that a time belongs to. */
function beginningOf(time: number, window: number): number {
  return time - (time % window);
}

/** Remembers something, replacing the previous value of its key. */
export function remember<Value extends object | string>(
  generations: Generations<Value>,
  [key, value]: readonly [key: string, value: Value],
  { time, window }: { readonly time: number; readonly window: number },
): Generations<Value> {
  const begin = beginningOf(time, window);
  const { newer, older, since } = generations;
  if (begin === since) return { newer: newer.set(key, value), older, since };
  // The clock was set back: it is remembered all the same, until the next generation starts.
  if (begin < since) return { newer, older: older.set(key, value), since };
  const next = advance(generations, begin, window);
  return { newer: next.newer.set(key, value), older: next.older, since: begin };
}

/** Drops what is too old once a newer generation has started. */
export function advance<Value extends object | string>(
  generations: Generations<Value>,
  since: number,
  window: number,
): Generations<Value> {
  if (since <= generations.since) return generations;
  const { newer: empty } = emptyGenerations<Value>();
  return { newer: empty, older: since - generations.since === window ? generations.newer : empty, since };
}

/** Whether something of this time is still remembered. */
export function isRemembered({ since }: { readonly since: number }, time: number, window: number): boolean {
  return beginningOf(time, window) >= since - window;
}

/** The value remembered under a key, perhaps for longer than required. */
export function recall<Value extends object | string>(
  { newer, older }: Generations<Value>,
  key: string,
): Value | undefined {
  return newer.get(key) ?? older.get(key);
}

/** Forgets a key. */
export function forget<Value extends object | string>(
  { newer, older, since }: Generations<Value>,
  key: string,
): Generations<Value> {
  return { newer: newer.delete(key), older: older.delete(key), since };
}

/**
 * Declares that these, and those between them and newer ones, will not be read again; see {@link
 * VersionedMap.releaseUntil}.
 */
export function releaseGenerations<Value extends object | string>(
  before: Generations<Value>,
  now: Generations<Value>,
): void {
  before.newer.releaseUntil(now.newer);
  before.older.releaseUntil(now.older);
  // When a generation ends, the newer one becomes the older one.
  before.newer.releaseUntil(now.older);
}
