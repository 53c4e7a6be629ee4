/** A semaphore: a limited number at the same time; the others wait in order. */
export interface Places {
  /** Resolves when a slot is free. The holder must release it, and must not wait for a peer before. */
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
