import type { ProposalContext } from '../context.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ProposalRecord } from '../records.js';
import { type FailedOutcome, outcomeOf, waitsFor } from './dependency.js';
import { declinedByDependency, dependenciesMet, dependencyFailed } from './notices.js';
import { runCleared } from './run-cleared.js';

/**
 * What follows from the results of a proposal's dependencies (O-37): a failed one ends it, or is
 * disregarded; those that settled `ok` are ticked off; and an approved proposal runs when none is
 * left, unless approvals are paused. Each is recorded in the proposal's own stream, so that it is
 * known for as long as the proposal is, whatever happens to the others.
 */
export function nextByDependencies(proposal: Proposal, context: ProposalContext): ProposalRecord | undefined {
  const met: string[] = [];
  for (const dependency of waitsFor(proposal)) {
    const outcome = outcomeOf(dependency, context);
    if (outcome === 'ok') met.push(dependency);
    else if (outcome !== 'waiting') return afterFailure(proposal, { dependency, outcome }, context.now);
  }
  if (met.length > 0) return dependenciesMet(proposal, context.now, met);
  const isReady =
    proposal.phase === 'approved' &&
    waitsFor(proposal).length === 0 &&
    context.space.pause?.isPaused !== true;
  return isReady ? runCleared(proposal, context) : undefined;
}

function afterFailure(
  proposal: Proposal,
  failed: { readonly dependency: string; readonly outcome: FailedOutcome },
  now: number,
): ProposalRecord {
  return proposal.dependencies?.onFailure === 'keep'
    ? dependencyFailed(proposal, now, failed)
    : declinedByDependency(proposal, now, failed);
}
