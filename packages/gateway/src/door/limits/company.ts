/** Who is currently sending, over any connection. */
export interface Company {
  /** A participant sent something. */
  readonly came: (participant: string) => void;
  /** Whether more than one participant sent something within the last second. */
  readonly isShared: () => boolean;
}

/** How long a sender counts as active, in milliseconds. */
const LATELY = 1_000;

/** @param clock - milliseconds, from any origin. Default: the machine's */
export function createCompany(clock: () => number = () => performance.now()): Company {
  let last: string | undefined;
  let changed = Number.NEGATIVE_INFINITY;
  return {
    came(participant) {
      if (participant === last) return;
      if (last !== undefined) changed = clock();
      last = participant;
    },
    isShared: () => clock() - changed < LATELY,
  };
}
