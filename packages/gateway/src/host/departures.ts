/** Something that was decided in this turn of the event loop and has yet to go to the journal. */
export interface Departing {
  /** Goes now, with all that was decided until now. Must not throw: others wait behind it. */
  depart(): void;
}

/** When something goes to the journal. */
export type Leave = (departing: Departing) => void;

/** At once. */
export const leaveNow: Leave = (departing) => departing.depart();

/** When the task that decided it is over: so what came in one piece goes in one piece. */
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
