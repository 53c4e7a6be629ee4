/** Runs tasks one after another. */
export interface TaskQueue {
  take<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Settles when all accepted tasks are done. */
  done(): Promise<void>;
}

export function createTaskQueue(): TaskQueue {
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
