import {
  isOpen,
  isProposalRecord,
  type OperationRecord,
  type Proposal,
  proposalsDependingOn,
  proposalsWaitingFor,
  type SpaceState,
  uncountedIn,
} from '@proffer/core/operations';

/** Reviews proposals again when something they wait for happens. */
export interface DependentReviews {
  /** All that wait for others: after a start, what they wait for may have happened. */
  afterStart(): void;
  /**
   * The proposals that wait for the end of a proposal, or for approvals to be resumed (O-37), and those that were agreed on
   * (O-53): only what is durable counts.
   */
  after(records: readonly OperationRecord[]): void;
  /** Proposals that depend on whether a participant is present, and on what it serves. */
  about(participant: string): void;
}

/**
 * Reviews come after the change that causes them, never in the middle of it: each of them may change the
 * state again, and so on.
 */
export function createDependentReviews(
  space: () => SpaceState,
  review: (proposal: string) => void,
): DependentReviews {
  const due = new Set<string>();
  function soon(ids: Iterable<string>): void {
    for (const id of ids) {
      if (due.size === 0) queueMicrotask(reviewAll);
      due.add(id);
    }
  }
  function allWaiting(): readonly string[] {
    return [...space().proposals].filter(([, proposal]) => waits(proposal)).map(([id]) => id);
  }
  function reviewAll(): void {
    const ids = [...due];
    due.clear();
    for (const id of ids) review(id);
  }
  return {
    afterStart: () => soon(allWaiting()),
    after(records) {
      for (const record of records) {
        if (isProposalRecord(record)) soon(proposalsWaitingFor(space(), record.facts.proposal));
        // Whoever can run what was agreed may be connected here, and not where that was recorded.
        if (record.type === 'agreed') soon([record.facts.proposal]);
        if (record.type === 'approvals_resumed') soon(allWaiting());
      }
    },
    about(participant) {
      soon(proposalsDependingOn(space(), participant));
    },
  };
}

function waits(proposal: Proposal): boolean {
  const hasReasons = proposal.dependencies !== undefined || uncountedIn(proposal).length > 0;
  return hasReasons && isOpen(proposal);
}
