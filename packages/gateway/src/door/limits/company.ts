/** Who is sending at the moment, over any connection. */
export interface Company {
  /** A participant sent something. */
  readonly came: (participant: string) => void;
  /** Whether more than one participant did so within the last second. */
  readonly isShared: () => boolean;
}

/** For how long someone who sent something counts as one who may go on, in milliseconds. */
const LATELY = 1_000;

/** @param clock - milliseconds, from any beginning. Default the machine's */
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
