import type { Rejection } from './proposal.js';

/** Reasons that mean "not me" or "not now", and so leave the decision to others (O-31). */
const DEFERRING_REASONS: ReadonlySet<string> = new Set(['busy', 'incapable', 'timeout']);

/** Whether a rejection is of the proposal itself. */
export function rejectsProposal({ reason }: Pick<Rejection, 'reason'>): boolean {
  return !DEFERRING_REASONS.has(reason);
}

/**
 * Whether a rejection settles the matter for a proposer that does not ask further (O-31): it is a
 * real no, and its sender could have approved.
 */
export function isDecisiveRejection(rejection: Pick<Rejection, 'reason' | 'couldApprove'>): boolean {
  return rejection.couldApprove === true && rejectsProposal(rejection);
}
