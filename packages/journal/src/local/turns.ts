/** Lets work be done one after the other. */
export interface Turns {
  take<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Settles when all that was taken is done. */
  done(): Promise<void>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    async done() {
      await last;
    },
  };
}
