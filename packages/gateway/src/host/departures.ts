/** Something decided in this turn of the event loop that has yet to go to the journal. */
export interface Departing {
  /** Flushes everything decided so far. Must not throw: others wait after it. */
  depart(): void;
}

/** When decisions go to the journal. */
export type Leave = (departing: Departing) => void;

/** At once. */
export const leaveNow: Leave = (departing) => departing.depart();

/** After the current task, so that what came in one chunk is written together. */
export const leaveSoon: Leave = (departing) => queueMicrotask(() => departing.depart());

/**
 * All together, when everything readable in this turn of the event loop has been decided: so the messages of
 * all connections share one write to the disk, and one of everything after it, instead of one per connection.
 */
export function leaveWithOthers(): Leave {
  let waiting: Departing[] = [];

  function depart(): void {
    const now = waiting;
    waiting = [];
    for (const one of now) one.depart();
  }

  return (departing) => {
    if (waiting.push(departing) === 1) setImmediate(depart);
  };
}
