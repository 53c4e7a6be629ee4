/** Something that only so many do at the same time; the others wait, and come in the order in which they asked. */
export interface Places {
  /** Settles when there is one. Whoever got it has to leave it, and must not wait for a peer before. */
  enter(): Promise<void>;
  leave(): void;
}

export function createPlaces(most: number): Places {
  const waiting: (() => void)[] = [];
  let free = most;
  return {
    enter() {
      if (free === 0) return new Promise((resolve) => void waiting.push(resolve));
      free--;
      return Promise.resolve();
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
