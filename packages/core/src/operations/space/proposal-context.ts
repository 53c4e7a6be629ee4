import type { ProposalContext, Surroundings } from '../context.js';
import type { Sees } from '../routing/route.js';
import type { SpaceState } from './space.js';

/** What a decision about a proposal of a space may know. Field by field, as it is made for every message. */
export function contextOf(space: SpaceState, surroundings: Surroundings, sees?: Sees): ProposalContext {
  const { isPresent, isConnected = isPresent } = surroundings;
  return {
    space,
    settings: space.settings,
    seesProposal: sees,
    now: surroundings.now,
    isPresent,
    isConnected,
    present: surroundings.present,
    standingOf: surroundings.standingOf,
    isRemoved: surroundings.isRemoved,
    durableOf: surroundings.durableOf,
    checkArguments: surroundings.checkArguments,
    sender: surroundings.sender,
    grant: surroundings.grant,
    hash: surroundings.hash,
  };
}
