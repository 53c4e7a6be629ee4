import { type Ballots, type Deliberation } from './deliberation.js';
import type { DecisionTerms } from './rules.js';

/** What the votes say: `no_votes` if none of them is decisive. Without an algorithm they say nothing. */
export type VotingResult = 'passed' | 'failed' | 'no_votes';

/** The votes as a policy counts them. */
export interface VoteCount {
  readonly result: VotingResult;
  /** Whether at least one decisive vote rejects. */
  readonly isRejected: boolean;
}

/** Two thirds, as a policy that asks for a supermajority and names no share means it. */
export const TWO_THIRDS = 2 / 3;

/**
 * Counts the votes, all options together: a Commitment names none of them. Abstentions are not
 * decisive; with weights, nor are the votes of those who have none. The cost is bounded by the number of
 * participants.
 */
export function countVotes(deliberation: Deliberation, terms: DecisionTerms): VoteCount {
  const { voting } = terms.rules;
  const { approving, rejecting } =
    voting.algorithm === 'weighted'
      ? weigh(deliberation, voting.weights)
      : { approving: deliberation.approvals, rejecting: deliberation.rejections };
  const isRejected = rejecting > 0;
  if (approving + rejecting === 0) return { result: 'no_votes', isRejected };
  const passes = hasPassed(deliberation, terms, { approving, rejecting });
  return { result: passes ? 'passed' : 'failed', isRejected };
}

/** Whether enough participants have voted. */
export function hasQuorum({ voters }: Deliberation, { rules, participants }: DecisionTerms): boolean {
  const { type, value } = rules.voting.quorum;
  if (type === 'count') return voters.size >= value;
  return voters.size * 100 >= value * participants.size;
}

interface Weights {
  readonly approving: number;
  readonly rejecting: number;
}

function hasPassed(
  { approvers, rejections }: Deliberation,
  { rules, participants }: DecisionTerms,
  { approving, rejecting }: Weights,
): boolean {
  const { algorithm, threshold } = rules.voting;
  switch (algorithm) {
    case 'unanimous':
      return approvers === participants.size && rejections === 0;
    case 'plurality':
      return approving > rejecting;
    default:
      // In binary floating point, where two of three is two thirds (RFC-MACP-0012, section 5.2).
      return approving / (approving + rejecting) >= threshold;
  }
}

/** In the order of the names, because a sum of fractions depends on it. */
function weigh({ voters }: Deliberation, weights: { readonly [name: string]: number }): Weights {
  let approving = 0;
  let rejecting = 0;
  for (const name of Object.keys(weights).sort()) {
    const { approvals, rejections }: Partial<Ballots> = voters.get(name) ?? {};
    approving += (weights[name] ?? 0) * (approvals ?? 0);
    rejecting += (weights[name] ?? 0) * (rejections ?? 0);
  }
  return { approving, rejecting };
}
