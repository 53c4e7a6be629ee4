import { authorize } from '../../capability/authorize.js';
import { PROTOCOL } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { REFUSALS } from '../../refusal/codes.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { isSignedNow } from '../keys/check-signed.js';
import { derivedRequest } from '../proposal/derived-request.js';
import { fulfilmentBy } from '../proposal/fulfilment.js';
import { requestFor } from '../proposal/may-fulfil.js';
import type { Proposal } from '../proposal/proposal.js';
import type { Declined, DependenciesMet, DependencyFailed, ProposalRecord } from '../records.js';
import { found, type NoticePayload } from '../routing/notice.js';
import { type FailedDependency, type FailedOutcome, outcomeOf, waitsFor } from './dependency.js';

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
 * The capability, the executor, the arguments and what was signed are checked as of now. Nothing happens while the
 * executor is offline, or the approver's current rights are unknown: no record without authority
 * (I-4).
 */
function runCleared(proposal: Proposal, context: ProposalContext): ProposalRecord | undefined {
  const { cleared } = proposal;
  const rights = cleared === undefined ? undefined : context.rightsOf?.(cleared.by);
  if (cleared === undefined || rights === undefined) return undefined;
  const { by: from, params, to, approval, rested } = cleared;
  const { now } = context;
  const violation = authorize(rights.capabilities, { ...requestFor({ ...proposal, params }, from), to });
  if (violation !== undefined) return declinedWhenDue(proposal, now, violation);
  const ts = new Date(now).toISOString();
  const request = derivedRequest(proposal, params, { protocol: PROTOCOL, id: approval, from, ts, to });
  const fulfilled = fulfilmentBy(proposal, request, context);
  if (!('refused' in fulfilled)) {
    const changed = checkStillSigned(proposal, fulfilled.facts.ranDigest, context);
    if (changed !== undefined) return declinedWhenDue(proposal, now, changed);
    return { ...fulfilled, facts: { ...fulfilled.facts, ...rested } };
  }
  const { refused } = fulfilled;
  return REFUSALS[refused.code].waitsForExecutor ? undefined : declinedWhenDue(proposal, now, refused);
}

/** Why what was approved does not run: an approval was signed for the tool as it was announced then (O-49). */
function checkStillSigned(
  { id, subject, approvals }: Proposal,
  digest: string,
  { space }: ProposalContext,
): Refusal | undefined {
  const outdated = approvals.find(
    (approval) =>
      approval.digest === digest && approval.signed !== undefined && !isSignedNow(approval, subject, space),
  );
  if (outdated === undefined) return undefined;
  const sentence = `The tool has changed since ${quote(outdated.by)} signed the approval of ${quote(id)}.`;
  return refuse('changed_since_shown', sentence, { proposal: id, changed: ['definition'] });
}

/** Some of its dependencies settled `ok`. */
function dependenciesMet(proposal: Proposal, now: number, dependencies: readonly string[]): DependenciesMet {
  const left = proposal.dependencies?.waitsFor.filter((id) => !dependencies.includes(id)) ?? [];
  const payload: NoticePayload = { notice: 'dependencies_met', dependencies, waitsFor: left };
  const facts = { proposal: proposal.id, dependencies };
  return { type: 'dependencies_met', ...found(proposal, now, payload), facts };
}

/** A dependency failed, and the proposer wants it decided all the same (`on_failure: keep`). */
function dependencyFailed(proposal: Proposal, now: number, failed: FailedDependency): DependencyFailed {
  // The approval was for running after the others: it must be approved again.
  const payload: NoticePayload = {
    notice: 'dependency_failed',
    ...failed,
    reopened: proposal.phase === 'approved',
  };
  const facts = { proposal: proposal.id, ...failed };
  return { type: 'dependency_failed', ...found(proposal, now, payload), facts };
}

/** A dependency failed, so this one never runs. */
function declinedByDependency(proposal: Proposal, now: number, failed: FailedDependency): Declined {
  return declinedFor(proposal, now, { why: 'dependency', ...failed }, failed);
}

/** The dependencies are met, but the approver may no longer approve the call, or its arguments no longer fit. */
function declinedWhenDue(proposal: Proposal, now: number, { code, message }: Refusal): Declined {
  return declinedFor(proposal, now, { why: 'not_allowed_now', code, message });
}

function declinedFor(
  proposal: Proposal,
  now: number,
  reason: { readonly why: string; readonly [detail: string]: string },
  failed: Partial<FailedDependency> = {},
): Declined {
  const payload: NoticePayload = {
    notice: 'declined',
    final: true,
    ...reason,
    rejectedBy: [],
    unansweredBy: [],
  };
  const facts = { proposal: proposal.id, final: true, why: reason.why, ...failed };
  return { type: 'declined', ...found(proposal, now, payload), facts };
}
