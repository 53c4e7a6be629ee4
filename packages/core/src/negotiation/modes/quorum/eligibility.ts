import type { Eligibility, NegotiationOutcome } from '../eligibility.js';
import { type ApprovalState, requiredApprovals } from './approval.js';
import type { QuorumTerms } from './rules.js';

/** Whether a Commitment would be accepted, and why or why not (N-18). */
export type QuorumEligibility = Eligibility & {
  readonly approvals: number;
  /** How many approvals it takes; absent before the request. */
  readonly required?: number;
  /** How many participants have not cast their ballot. */
  readonly remaining: number;
};

/**
 * Which outcomes the rules of the mode allow now, and why not the others. The decision on a Commitment
 * uses this, so an explanation can never differ from it.
 */
export function explainApproval(
  approval: ApprovalState,
  terms: QuorumTerms,
  committer: string,
): QuorumEligibility {
  const { approvals, ballots } = approval;
  const remaining = terms.participants.size - ballots.size;
  const required = requiredApprovals(approval, terms);
  const about = { committer, approvals, remaining };
  if (required === undefined)
    return { ...about, outcomes: [], reasons: ['Nobody has asked for an approval yet.'] };
  const count = `${approvals} of the ${required} required ${required === 1 ? 'approval' : 'approvals'}`;
  const open = `${remaining} ${remaining === 1 ? 'ballot is' : 'ballots are'} still open`;
  const outcomes: readonly NegotiationOutcome[] =
    approvals >= required ? ['positive'] : approvals + remaining < required ? ['negative'] : [];
  const [outcome] = outcomes;
  const reason =
    outcome === 'positive'
      ? `The request has ${count}.`
      : `The request has ${count}, and ${open}${outcome === 'negative' ? ': too few' : ''}.`;
  return { ...about, required, outcomes, reasons: [reason] };
}
