import { quote } from '../../../json/describe.js';
import { describeNames } from '../authority.js';
import type { Eligibility, NegotiationOutcome } from '../eligibility.js';
import { candidates, convergedProposal, countMissing, findMissing } from './convergence.js';
import { hasRejected, type Negotiation } from './negotiation.js';
import type { ProposalTerms } from './rules.js';

/** Who has not accepted a proposal yet. */
export type Missing = {
  readonly proposal_id: string;
  /** At most {@link MAX_NAMES} of them. */
  readonly participants: readonly string[];
  readonly count: number;
};

/** Whether a Commitment would be accepted, and why or why not (N-9, N-10). */
export type ProposalEligibility = Eligibility & {
  /** The proposal on which the required participants converge, and that no one has rejected terminally. */
  readonly converged?: string;
  /** Current terminal rejections: all if they are few, otherwise those of proposals that everyone accepts. */
  readonly rejected: readonly { readonly proposal_id: string; readonly by: string }[];
  /** The proposals closest to convergence, with who is missing. */
  readonly missing: readonly Missing[];
};

/** How many names, and how many proposals, an explanation lists. */
const MAX_NAMES = 20;
const MAX_PROPOSALS = 3;

/**
 * Which outcomes the rules of the mode allow a committer now, and why not the others. The decision on
 * a Commitment uses this, so an explanation can never differ from it. The cost is bounded by the
 * number of participants.
 */
export function explainOutcomes(
  negotiation: Negotiation,
  terms: ProposalTerms,
  committer: string,
): ProposalEligibility {
  const converged = convergedProposal(negotiation, terms, committer);
  const { terminalRejections } = negotiation;
  const nearest = converged === undefined ? findNearest(negotiation, terms, committer) : [];
  const missing = nearest.filter(({ count }) => count > 0);
  const vetoed = nearest.filter(({ count }) => count === 0).map(({ proposal_id }) => proposal_id);
  const ids = terminalRejections.size <= MAX_PROPOSALS ? [...terminalRejections.keys()] : vetoed;
  const rejected = ids
    .map((proposal_id) => ({ proposal_id, by: terminalRejections.get(proposal_id) ?? '' }))
    .sort(byProposal);
  return {
    committer,
    outcomes: outcomesOf(converged !== undefined, terminalRejections.size > 0),
    ...(converged === undefined ? {} : { converged }),
    rejected,
    missing,
    reasons: [
      ...(converged === undefined
        ? describeMissing(negotiation, nearest, committer)
        : [`All required participants accept ${quote(converged)}.`]),
      ...rejected
        .filter(({ proposal_id }) => !vetoed.includes(proposal_id))
        .map(({ proposal_id, by }) => `${quote(by)} has rejected ${quote(proposal_id)} for good.`),
      ...(terminalRejections.size > rejected.length
        ? [`${terminalRejections.size} proposals are rejected for good.`]
        : []),
    ],
  };
}

function outcomesOf(converged: boolean, rejected: boolean): readonly NegotiationOutcome[] {
  if (converged) return ['positive', 'negative'];
  return rejected ? ['negative'] : [];
}

function findNearest(negotiation: Negotiation, terms: ProposalTerms, committer: string): readonly Missing[] {
  return candidates(negotiation)
    .map((proposal_id) => ({
      proposal_id,
      count: countMissing(negotiation, terms, proposal_id, committer),
    }))
    .sort((left, right) => left.count - right.count || byProposal(left, right))
    .slice(0, MAX_PROPOSALS)
    .map(({ proposal_id, count }) => {
      const names = findMissing(negotiation, terms, proposal_id, committer);
      return { proposal_id, participants: names.slice(0, MAX_NAMES), count };
    });
}

function byProposal(left: { proposal_id: string }, right: { proposal_id: string }): number {
  return left.proposal_id < right.proposal_id ? -1 : 1;
}

function describeMissing(
  negotiation: Negotiation,
  nearest: readonly Missing[],
  committer: string,
): readonly string[] {
  if (negotiation.live.size === 0) return ['There is no live proposal.'];
  if (nearest.length === 0) {
    return [`Nobody has accepted any of the ${negotiation.live.size} live proposals.`];
  }
  return nearest.map(({ proposal_id, participants, count }) => {
    if (count === 0) return describeVeto(negotiation, proposal_id);
    const rejectedIt = participants.includes(committer) && hasRejected(negotiation, committer, proposal_id);
    const why = rejectedIt ? `; ${quote(committer)} has rejected it` : '';
    return `${quote(proposal_id)} is not accepted by ${describeNames(participants, count)}${why}.`;
  });
}

/** Why a proposal with all acceptances is not a positive outcome. */
function describeVeto({ terminalRejections }: Negotiation, proposalId: string): string {
  const by = quote(terminalRejections.get(proposalId) ?? '');
  return `All required participants accept ${quote(proposalId)}, but ${by} has rejected it for good.`;
}
