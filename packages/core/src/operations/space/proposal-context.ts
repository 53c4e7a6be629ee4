import type { ProposalContext, Surroundings } from '../context.js';
import { grantFor } from '../grants/use.js';
import { definitionOf } from '../participant.js';
import type { Sees } from '../routing/route.js';
import { delegationsTo, hasAnnounced, listedBy, type SpaceState, servedBy } from './space.js';

/** What a decision about a proposal of a space may know. */
export function contextOf(space: SpaceState, surroundings: Surroundings, sees?: Sees): ProposalContext {
  const {
    now,
    isPresent,
    isConnected = isPresent,
    standingOf,
    isRemoved,
    sender,
    grant,
    hash,
  } = surroundings;
  const { checkArguments, present, durableOf } = surroundings;
  return {
    settings: space.settings,
    servedBy: (subject) => servedBy(space, subject),
    listedBy: (subject) => listedBy(space, subject),
    hasAnnounced: (participant, list) => hasAnnounced(space, participant, list),
    definitionOf: (name, subject) => definitionOf(space.participants.get(name), subject),
    checkArguments,
    present,
    proposalOf: (id) => space.proposals.get(id),
    durableOf,
    seesProposal: sees,
    delegationsTo: (name) => delegationsTo(space, name),
    grantFor: (request) => grantFor(space, request, surroundings),
    aloneBy: (name) => space.participants.get(name)?.alone ?? [],
    isPaused: space.pause?.isPaused === true,
    pendingOf: (name) => space.pending.get(name) ?? 0,
    now,
    isPresent,
    isConnected,
    standingOf,
    isRemoved,
    sender,
    grant,
    hash,
  };
}
