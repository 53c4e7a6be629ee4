/** Something decided in this turn of the event loop that has yet to go to the journal. */
export interface PendingFlush {
  /** Flushes everything decided so far. Must not throw: others wait after it. */
  flush(): void;
}

/** When decisions go to the journal. */
export type FlushPolicy = (departing: PendingFlush) => void;

/** At once. */
export const flushNow: FlushPolicy = (departing) => departing.flush();

/** After the current task, so that what came in one chunk is written together. */
export const flushAfterTask: FlushPolicy = (departing) => queueMicrotask(() => departing.flush());

/**
 * All together, when everything readable in this turn of the event loop has been decided: so the messages of
 * all connections share one write to the disk, and one of everything after it, instead of one per connection.
 */
export function flushTogether(): FlushPolicy {
  let waiting: PendingFlush[] = [];

  function depart(): void {
    const now = waiting;
    waiting = [];
    for (const one of now) one.flush();
  }

  return (departing) => {
    if (waiting.push(departing) === 1) setImmediate(depart);
  };
}
