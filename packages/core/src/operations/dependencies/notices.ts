import type { Refusal } from '../../refusal/refusal.js';
import type { Proposal } from '../proposal/proposal.js';
import type { Declined, DependenciesMet, DependencyFailed } from '../records.js';
import { found, type NoticePayload } from '../routing/notice.js';
import type { FailedDependency } from './dependency.js';

/** Some of its dependencies settled `ok`. */
export function dependenciesMet(
  proposal: Proposal,
  now: number,
  dependencies: readonly string[],
): DependenciesMet {
  const left = proposal.dependencies?.waitsFor.filter((id) => !dependencies.includes(id)) ?? [];
  const payload: NoticePayload = { notice: 'dependencies_met', dependencies, waitsFor: left };
  const facts = { proposal: proposal.id, dependencies };
  return { type: 'dependencies_met', ...found(proposal, now, payload), facts };
}

/** A dependency failed, and the proposer wants it decided all the same (`on_failure: keep`). */
export function dependencyFailed(
  proposal: Proposal,
  now: number,
  failed: FailedDependency,
): DependencyFailed {
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
export function declinedByDependency(proposal: Proposal, now: number, failed: FailedDependency): Declined {
  return declinedFor(proposal, now, { why: 'dependency', ...failed }, failed);
}

/** The dependencies are met, but the approver may no longer approve the call, or its arguments no longer fit. */
export function declinedWhenDue(proposal: Proposal, now: number, { code, message }: Refusal): Declined {
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
