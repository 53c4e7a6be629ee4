/** Work that nobody waits for until the end. */
export interface UnderWay {
  add(work: Promise<void>): void;
  /** Settles when none is left, nor what was added meanwhile. */
  done(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  const all = new Set<Promise<void>>();
  return {
    add(work) {
      all.add(work);
      void work.finally(() => all.delete(work));
    },
    async done() {
      while (all.size > 0) await Promise.allSettled(all);
    },
  };
}
