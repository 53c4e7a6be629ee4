import type { AssertionCheck, DecisionContext, ParticipantRights, Proposal } from '@proffer/core/operations';
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
export function createDecisionContext(
  clock: () => number,
  presence: Pick<Presence, 'isPresent' | 'isConnected' | 'rightsOf' | 'names'>,
  { rightsByName = unknown, durableOf, checkAssertion }: KnownElsewhere,
): (
  removed?: Removed,
  sender?: ParticipantRights,
  message?: Pick<DecisionContext, 'grant' | 'newToken' | 'newKey'>,
) => DecisionContext {
  const isPresent = (name: string): boolean => presence.isPresent(name);
  const isConnected = (name: string): boolean => presence.isConnected(name);
  const rightsOf = (name: string): ParticipantRights | undefined =>
    presence.rightsOf(name) ?? rightsByName(name);
  const present = (): readonly string[] => presence.names();
  const checkArguments = createArgumentCheck();
  return (removed = NONE_REMOVED, sender, { grant, newToken, newKey } = NOTHING) => {
    const isRemoved = removed === NONE_REMOVED ? nothingRemoved : (id: string) => removed.has(id);
    return {
      now: clock(),
      isRemoved,
      isPresent,
      isConnected,
      rightsOf,
      present,
      durableOf,
      checkArguments,
      checkAssertion,
      sender,
      grant,
      newToken,
      newKey,
      hash: nativeSha256,
    };
  };
}

/** What is known besides presence. */
export interface KnownElsewhere {
  /** The rights of a participant that is not present. Default: unknown. */
  readonly rightsByName?: RightsByName | undefined;
  /** Checks the signatures of decisions (O-49). Default: none is valid. */
  readonly checkAssertion?: AssertionCheck | undefined;
  /** The durable state of a proposal. */
  readonly durableOf: (id: string) => Proposal | undefined;
}

/** The rights of a participant that the operator knows by name, wherever it is. */
export type RightsByName = (name: string) => ParticipantRights | undefined;

const NOTHING = {};

const unknown = (): undefined => undefined;

const nothingRemoved = (): boolean => false;
