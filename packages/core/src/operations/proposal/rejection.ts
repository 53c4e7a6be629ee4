import { isFulfilled, isOpen, type Proposal, type Rejection } from './proposal.js';

/** The usual reasons for a rejection (O-17). Any other text is a reason, too. */
export const REJECTION_REASONS = [
  'busy',
  'incapable',
  'policy',
  'disagree',
  'unsafe',
  'duplicate',
  'invalid',
  'timeout',
  'resource_limit',
  'other',
] as const;

export type UsualRejectionReason = (typeof REJECTION_REASONS)[number];

/** Reasons that mean "not me" or "not now", and so leave the decision to others (O-31). */
const DEFERRING_REASONS: ReadonlySet<string> = new Set<UsualRejectionReason>([
  'busy',
  'incapable',
  'timeout',
]);

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

/**
 * Whether there is an answer for a waiting caller: the proposal ended, whatever the outcome, or
 * someone who could have approved it rejected it (O-31) or made a counter-offer (O-40). In the latter
 * cases it is still pending; `ignoreRejections` is for proposers that keep waiting for others.
 */
export function hasAnswer(proposal: Proposal, ignoreRejections = false): boolean {
  if (isFulfilled(proposal)) return proposal.fulfilment?.answerBy === undefined;
  if (!isOpen(proposal)) return true;
  if (ignoreRejections || proposal.phase === 'approved') return false;
  for (const [, rejection] of proposal.rejections) if (isDecisiveRejection(rejection)) return true;
  return proposal.counters.some(({ by, state }) => state === 'live' && by !== proposal.proposer);
}
