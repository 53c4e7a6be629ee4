/** A semaphore: a limited number at the same time; the others wait in order. */
export interface Semaphore {
  /** Resolves when a slot is free. The holder must release it, and must not wait for a peer before. */
  acquire(): Promise<void>;
  release(): void;
}

export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = most;
  return {
    acquire() {
      if (free === 0) return new Promise((resolve) => void waiting.push(resolve));
      free--;
      return Promise.resolve();
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
