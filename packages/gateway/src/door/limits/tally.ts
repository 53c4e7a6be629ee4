/** How many of something each key has. Keys that have none take no memory. */
export interface Tally {
  readonly count: (key: string) => number;
  readonly add: (key: string) => void;
  /** One less; of none it stays none. */
  readonly remove: (key: string) => void;
  /** The keys that have any. */
  readonly size: () => number;
  /** How many all keys have together. */
  readonly total: () => number;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const count = (key: string) => counts.get(key) ?? 0;
  let total = 0;
  return {
    count,
    add: (key) => {
      counts.set(key, count(key) + 1);
      total++;
    },
    remove: (key) => {
      const before = count(key);
      if (before === 0) return;
      if (before === 1) counts.delete(key);
      else counts.set(key, before - 1);
      total--;
    },
    size: () => counts.size,
    total: () => total,
  };
}
