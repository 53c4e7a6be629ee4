import type { Proposal, Standing, Surroundings } from '@proffer/core/operations';
import { nativeSha256 } from '@proffer/journal';
import { createArgumentCheck } from '../schema/index.js';
import { NONE_REMOVED, type Removed } from './past/stored-proposal.js';
import type { Presence } from './presence.js';

/**
 * What decisions in a space may know besides its state. Running calls get the grace period after a lost
 * connection (O-23); the executor of a new one is chosen among those connected now (O-26).
 *
 * @param clock - milliseconds since 1970
 */
export function createSurroundings(
  clock: () => number,
  presence: Pick<Presence, 'isPresent' | 'isConnected' | 'standingOf' | 'names'>,
  { standingByName = unknown, durableOf }: KnownElsewhere,
): (removed?: Removed, sender?: Standing, grant?: string) => Surroundings {
  const isPresent = (name: string): boolean => presence.isPresent(name);
  const isConnected = (name: string): boolean => presence.isConnected(name);
  const standingOf = (name: string): Standing | undefined =>
    presence.standingOf(name) ?? standingByName(name);
  const present = (): readonly string[] => presence.names();
  const checkArguments = createArgumentCheck();
  return (removed = NONE_REMOVED, sender, grant) => {
    const isRemoved = removed === NONE_REMOVED ? nothingRemoved : (id: string) => removed.has(id);
    return {
      now: clock(),
      isRemoved,
      isPresent,
      isConnected,
      standingOf,
      present,
      durableOf,
      checkArguments,
      sender,
      grant,
      hash: nativeSha256,
    };
  };
}

/** What is known besides presence. */
export interface KnownElsewhere {
  /** The rights of a participant that is not present. Default: unknown. */
  readonly standingByName?: StandingByName | undefined;
  /** The durable state of a proposal. */
  readonly durableOf: (id: string) => Proposal | undefined;
}

/** The rights of a participant that the operator knows by name, wherever it is. */
export type StandingByName = (name: string) => Standing | undefined;

const unknown = (): undefined => undefined;

const nothingRemoved = (): boolean => false;
