import { authorize } from '../../capability/authorize.js';
import { PROTOCOL } from '../../envelope/envelope.js';
import { REFUSALS } from '../../refusal/codes.js';
import type { ProposalContext } from '../context.js';
import { derivedRequest } from '../proposal/derived-request.js';
import { fulfilmentBy } from '../proposal/fulfilment.js';
import { requestFor } from '../proposal/may-fulfil.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ProposalRecord } from '../records.js';
import { type FailedOutcome, outcomeOf, waitsFor } from './dependency.js';
import { declinedByDependency, declinedWhenDue, dependenciesMet, dependencyFailed } from './notices.js';

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

/**
 * Runs what was approved before its dependencies were met (O-37), in the name of the last approver.
 * The capability, the executor and the arguments are checked as of now. Nothing happens while the
 * executor is offline, or the approver's current rights are unknown: no record without authority
 * (I-4).
 */
function runCleared(proposal: Proposal, context: ProposalContext): ProposalRecord | undefined {
  const { cleared } = proposal;
  const rights = cleared === undefined ? undefined : context.rightsOf?.(cleared.by);
  if (cleared === undefined || rights === undefined) return undefined;
  const { by: from, params, to, approval, rested } = cleared;
  const { now } = context;
  const violation = authorize(rights.capabilities, requestFor({ ...proposal, params }, from));
  if (violation !== undefined) return declinedWhenDue(proposal, now, violation);
  const ts = new Date(now).toISOString();
  const request = derivedRequest(proposal, params, { protocol: PROTOCOL, id: approval, from, ts, to });
  const fulfilled = fulfilmentBy(proposal, request, context);
  if (!('refused' in fulfilled)) return { ...fulfilled, facts: { ...fulfilled.facts, ...rested } };
  const { refused } = fulfilled;
  return REFUSALS[refused.code].waitsForExecutor ? undefined : declinedWhenDue(proposal, now, refused);
}
