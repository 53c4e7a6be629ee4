import { describeNames } from '../authority.js';
import type { Eligibility, NegotiationOutcome } from '../eligibility.js';
import { countCritical, type Deliberation } from './deliberation.js';
import type { DecisionTerms } from './rules.js';
import { countVotes, hasQuorum, type VotingResult } from './tally.js';

/** Whether a Commitment would be accepted, and why or why not (N-15, N-16). */
export type DecisionEligibility = Eligibility & {
  /** What the votes say; absent if the policy does not count them. */
  readonly result?: VotingResult;
  readonly approvals: number;
  readonly rejections: number;
  /** How many participants have voted, including those who abstained. */
  readonly voters: number;
  /** Who raised critical objections that prevent a positive outcome; empty if nothing does. */
  readonly vetoed_by: readonly string[];
};

const OUTCOMES: readonly NegotiationOutcome[] = ['positive', 'negative'];

/**
 * Which outcomes the rules of the mode allow now, and why not the others. The decision on a Commitment
 * uses this, so an explanation can never differ from it. The cost is bounded by the number of
 * participants.
 */
export function explainDecision(
  deliberation: Deliberation,
  terms: DecisionTerms,
  committer: string,
): DecisionEligibility {
  const { approvals, rejections, voters, proposers } = deliberation;
  const { algorithm } = terms.rules.voting;
  const about = {
    committer,
    approvals,
    rejections,
    voters: voters.size,
    vetoed_by: isVetoed(deliberation, terms) ? [...deliberation.criticalObjections.keys()].sort() : [],
    ...(algorithm === 'none' ? {} : { result: countVotes(deliberation, terms).result }),
  };
  // N-15: whatever the policy says, there is nothing to commit yet.
  if (proposers.size === 0) return { ...about, outcomes: [], reasons: ['There is no option yet.'] };
  const outcomes = OUTCOMES.filter((outcome) => findObstacles(deliberation, terms, outcome).length === 0);
  return { ...about, outcomes, reasons: reasonsFor(deliberation, terms, outcomes) };
}

/** Why an outcome cannot be committed; empty if it can. */
export function findObstacles(
  deliberation: Deliberation,
  terms: DecisionTerms,
  outcome: NegotiationOutcome,
): readonly string[] {
  const { objection_handling } = terms.rules;
  const isVeto = isVetoed(deliberation, terms);
  // The objection itself is the authority for this outcome, so nothing about votes stands in its way.
  const isDeclined =
    isVeto && outcome === 'negative' && objection_handling.critical_objection_action === 'finalize_decline';
  if (isDeclined) return [];
  return [
    ...(isVeto ? [describeVeto(deliberation, terms)] : []),
    ...findMissingEvaluation(deliberation, terms),
    ...findMissingQuorum(deliberation, terms),
    ...findVotesAgainst(deliberation, terms, outcome),
  ];
}

function reasonsFor(
  deliberation: Deliberation,
  terms: DecisionTerms,
  outcomes: readonly NegotiationOutcome[],
): readonly string[] {
  const closed = OUTCOMES.filter((outcome) => !outcomes.includes(outcome));
  const obstacles = closed.flatMap((outcome) => findObstacles(deliberation, terms, outcome));
  return obstacles.length === 0 ? [describeFreedom(deliberation, terms)] : [...new Set(obstacles)];
}

function isVetoed(deliberation: Deliberation, { rules }: DecisionTerms): boolean {
  const { critical_severity_vetoes, veto_threshold } = rules.objection_handling;
  return critical_severity_vetoes && countCritical(deliberation) >= veto_threshold;
}

function describeVeto(deliberation: Deliberation, { rules }: DecisionTerms): string {
  const count = countCritical(deliberation);
  const { veto_threshold } = rules.objection_handling;
  const by = describeNames([...deliberation.criticalObjections.keys()].sort());
  const what = count === 1 ? 'A critical objection' : `${count} critical objections`;
  const limit = veto_threshold === 1 ? '' : ` (${veto_threshold} are enough)`;
  return `${what} by ${by} ${count === 1 ? 'prevents' : 'prevent'} this${limit}.`;
}

function findMissingEvaluation({ confidence }: Deliberation, { rules }: DecisionTerms): readonly string[] {
  const { required_before_voting, minimum_confidence } = rules.evaluation;
  if (!required_before_voting || (confidence ?? -1) >= minimum_confidence) return [];
  const sure = minimum_confidence === 0 ? '' : ` with a confidence of ${minimum_confidence} or more`;
  return [`The policy requires an evaluation that takes a position${sure}. There is none.`];
}

function findMissingQuorum(deliberation: Deliberation, terms: DecisionTerms): readonly string[] {
  const { rules, participants } = terms;
  if (!rules.commitment.require_vote_quorum || hasQuorum(deliberation, terms)) return [];
  const { type, value } = rules.voting.quorum;
  const voted = `${deliberation.voters.size} of ${participants.size} participants have voted`;
  return [`${voted}; the policy requires ${type === 'count' ? value : `${value} %`}.`];
}

function findVotesAgainst(
  deliberation: Deliberation,
  terms: DecisionTerms,
  outcome: NegotiationOutcome,
): readonly string[] {
  const { rules } = terms;
  if (rules.voting.algorithm === 'none') return [];
  const { result, isRejected } = countVotes(deliberation, terms);
  if (outcome === 'positive') {
    if (result === 'failed') return [describeVotes(deliberation, terms)];
    const mayBeEmpty = !rules.voting.needs_votes && !rules.commitment.require_vote_quorum;
    return result === 'passed' || mayBeEmpty ? [] : ['Nobody has cast a vote that counts.'];
  }
  if (!isRejected) return ['Nobody has cast a vote that counts against it, so there is nothing to decline.'];
  if (result === 'failed' || rules.commitment.allow_decline_over_approval) return [];
  return [`${describeVotes(deliberation, terms)} So only a positive outcome can be committed.`];
}

/** How the votes came out, as a sentence. */
function describeVotes(deliberation: Deliberation, terms: DecisionTerms): string {
  const { approvals, rejections } = deliberation;
  const { participants, rules } = terms;
  const { algorithm, threshold } = rules.voting;
  const { result } = countVotes(deliberation, terms);
  const votes = `${approvals} to approve, ${rejections} to reject`;
  const bar =
    algorithm === 'unanimous'
      ? `all ${participants.size} participants must approve`
      : algorithm === 'plurality'
        ? 'more must approve than reject'
        : `at least ${formatPercent(threshold)}${algorithm === 'weighted' ? ' of the weight' : ''} must approve`;
  return `The vote has ${result === 'passed' ? 'passed' : 'not passed'}: ${votes}; ${bar}.`;
}

function formatPercent(share: number): string {
  return `${Math.round(share * 10_000) / 100} %`;
}

/** Why both outcomes are possible. */
function describeFreedom(deliberation: Deliberation, terms: DecisionTerms): string {
  if (terms.rules.voting.algorithm !== 'none') return describeVotes(deliberation, terms);
  const { approvals, rejections, proposers } = deliberation;
  const options = proposers.size === 1 ? 'There is one option' : `There are ${proposers.size} options`;
  return `${options}, with ${approvals} ${approvals === 1 ? 'vote' : 'votes'} to approve and ${rejections} to reject; the policy leaves the outcome to whoever commits.`;
}
