/** A count per key. Keys at zero take no memory. */
export interface Tally {
  readonly count: (key: string) => number;
  readonly add: (key: string) => void;
  /** Decrements; stays at zero. */
  readonly remove: (key: string) => void;
  /** The keys above zero. */
  readonly size: () => number;
  /** The total over all keys. */
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
