/** Something that was decided in this turn of the event loop and has yet to go to the journal. */
export interface Departing {
  /** Flushes everything that was decided so far. Must not throw: others wait after it. */
  depart(): void;
}

/** When something goes to the journal. */
export type Leave = (departing: Departing) => void;

/** At once. */
export const leaveNow: Leave = (departing) => departing.depart();

/** After the current task, so that what came in one chunk is written in one chunk. */
export const leaveSoon: Leave = (departing) => queueMicrotask(() => departing.depart());

/**
 * All together, when everything that could be read in this turn of the event loop has been decided: so the
 * messages of all connections share one write to the disk, and one of everything that comes after it, where
 * each connection would otherwise have its own.
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
