/** Who is currently sending, over any connection. */
export interface ActiveSenders {
  /** A participant sent something. */
  readonly noteSender: (participant: string) => void;
  /** Whether more than one participant sent something within the last second. */
  readonly isShared: () => boolean;
}

/** How long a sender counts as active, in milliseconds. */
const LATELY = 1_000;

/** @param clock - milliseconds, from any origin. Default: the machine's */
export function createActiveSenders(clock: () => number = () => performance.now()): ActiveSenders {
  let last: string | undefined;
  let changed = Number.NEGATIVE_INFINITY;
  return {
    noteSender(participant) {
      if (participant === last) return;
      if (last !== undefined) changed = clock();
      last = participant;
    },
    isShared: () => clock() - changed < LATELY,
  };
}
