import { isOver } from '../proposal/proposal.js';
import { isProposalRecord, type OperationRecord } from '../records.js';
import { letGoSpaceUntil } from './let-go.js';
import { evolveSpace, forgetProposal, heardInSpace, type SpaceState } from './space.js';

/** A record as a journal gives it back. */
export type ReplayedOperation = OperationRecord & { readonly version: number };

/** Reads the history of a space. */
export interface SpaceReplay {
  fold(record: ReplayedOperation): void;
  /** Those that others wait for although they were let go before: to be recalled before the end (O-37). */
  missing(): readonly string[];
  /** Brings one of them back. */
  adjust(change: (space: SpaceState) => SpaceState): void;
  /** The state after all that was folded, without what is over and nobody needs in memory. */
  end(): SpaceState;
}

/** How many may have ended before they are let go. */
const MOST_ENDED = 1_024;

/**
 * Folds history into a state as a host has it: what is over is let go on the way, so memory holds as much at the end of
 * a long history as it does in a gateway that never stopped, and the state is the same (I-3).
 *
 * @param from - the state to begin with
 */
export function replaySpace(from: SpaceState): SpaceReplay {
  let space = from;
  let ended: string[] = [];
  let most = MOST_ENDED;

  function rest(): void {
    const before = space;
    for (const id of ended) space = forgetProposal(space, id);
    letGoSpaceUntil(before, space);
    ended = ended.filter((id) => space.proposals.has(id));
    // Those that others wait for stay: looking at them again and again must not cost more with each (I-8).
    most = 2 * ended.length + MOST_ENDED;
  }

  return {
    fold(record) {
      const before = space;
      space = evolveStored(before, record);
      letGoSpaceUntil(before, space);
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
  // It was let go, and is over all the same: it is brought back when a message needs it.
  return known === 0 ? heardInSpace(space, record, record.version) : space;
}
