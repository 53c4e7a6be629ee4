import { isOver } from '../proposal/proposal.js';
import { isProposalRecord, type OperationRecord } from '../records.js';
import { releaseSpaceUntil } from './retention.js';
import { evictProposal, evolveSpace, rememberIn, type SpaceState } from './space.js';

/** A record as a journal returns it. */
export type ReplayedOperation = OperationRecord & { readonly version: number };

/** Reads the history of a space. */
export interface SpaceReplay {
  fold(record: ReplayedOperation): void;
  /** Evicted proposals that others wait for: to be recalled before the end (O-37). */
  missing(): readonly string[];
  /** Recalls one of them. */
  adjust(change: (space: SpaceState) => SpaceState): void;
  /** The state after everything folded, without finished proposals that need not be in memory. */
  end(): SpaceState;
}

/** How many may have ended before they are evicted. */
const MAX_ENDED = 1_024;

/**
 * Folds history into a host's state: finished proposals are evicted on the way, so memory use at the
 * end of a long history is the same as in a gateway that never stopped, and so is the state (I-3).
 *
 * @param from - the initial state
 */
export function replaySpace(from: SpaceState): SpaceReplay {
  let space = from;
  let ended: string[] = [];
  let most = MAX_ENDED;

  function rest(): void {
    const before = space;
    for (const id of ended) space = evictProposal(space, id);
    releaseSpaceUntil(before, space);
    ended = ended.filter((id) => space.proposals.has(id));
    // Proposals that others wait for stay: checking them repeatedly must not cost more each time (I-8).
    most = 2 * ended.length + MAX_ENDED;
  }

  return {
    fold(record) {
      const before = space;
      space = evolveStored(before, record);
      releaseSpaceUntil(before, space);
      if (!isProposalRecord(record)) return;
      const { proposal: id } = record.facts;
      const proposal = space.proposals.get(id);
      if (proposal !== undefined && isOver(proposal)) ended.push(id);
      if (ended.length >= most) rest();
    },
    missing: () => [...space.waiting.keys()].filter((id) => !space.proposals.has(id)),
    adjust(change) {
      space = change(space);
    },
    end() {
      ended = [...space.proposals.keys()];
      rest();
      return space;
    },
  };
}

function evolveStored(space: SpaceState, record: ReplayedOperation): SpaceState {
  if (!isProposalRecord(record)) {
    const known = space.participants.get(record.facts.participant)?.version ?? 0;
    return record.version === known + 1 ? evolveSpace(space, record) : space;
  }
  const known = space.proposals.get(record.facts.proposal)?.version ?? 0;
  if (record.version === known + 1) return evolveSpace(space, record);
  // The proposal was evicted, and is finished all the same: it is recalled when a message needs it.
  return known === 0 ? rememberIn(space, record, record.version) : space;
}
