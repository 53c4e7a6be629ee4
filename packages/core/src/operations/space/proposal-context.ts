import type { ProposalContext, Surroundings } from '../context.js';
import type { Sees } from '../routing/route.js';
import type { SpaceState } from './space.js';

/**
 * The context of a decision about a space's proposal. Field by field, as it is created for every
 * message.
 */
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
