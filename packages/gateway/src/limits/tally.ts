/** How many of something each key has. Keys that have none take no memory. */
export interface Tally {
  readonly count: (key: string) => number;
  readonly add: (key: string) => void;
  /** One less; of none it stays none. */
  readonly remove: (key: string) => void;
  /** The keys that have any. */
  readonly size: () => number;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const count = (key: string) => counts.get(key) ?? 0;
  return {
    count,
    add: (key) => {
      counts.set(key, count(key) + 1);
    },
    remove: (key) => {
      if (count(key) <= 1) counts.delete(key);
      else counts.set(key, count(key) - 1);
    },
    size: () => counts.size,
  };
}
