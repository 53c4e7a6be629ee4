import { approvalProgress, describeProgress } from '@proffer/core/approvals';
import { expiresSoon } from '@proffer/core/lifetime';
import type { ProposalView } from '../proposals/proposal-view.js';
import { formatSpan } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';

/**
 * Who approved a pending proposal, how many approvals it needs and who is missing; `undefined` if no policy
 * counts them.
 */
export function quorumOf(proposal: ProposalView): string | undefined {
  const progress = approvalProgress(proposal);
  return progress === undefined ? undefined : visible(describeProgress(progress));
}

/**
 * The status of a pending proposal, in phrases: how many approvals it has and from whom, whom the gateway
 * asked because nobody decided (O-33), who decides for whom (O-34), what it waits for (O-37), and that it
 * expires soon (O-36). One that is approved only waits for other proposals.
 */
export function standingOf(proposal: ProposalView, now: number): readonly string[] {
  const { phase, approvals, escalatedTo, delegations = [], expiresAt = 0 } = proposal;
  const waits = waitingFor(proposal);
  if (phase === 'approved') return waits;
  if (phase !== 'pending') return [];
  const quorum = quorumOf(proposal);
  const by = [...new Set(approvals.map(approverOf))].join(', ');
  const handed = delegations.filter(({ until }) => until > now);
  const asked = escalatedTo.map((name) => visible(name.replace(/^role:/, ''))).join(', ');
  return [
    ...(quorum === undefined ? [] : [by === '' ? quorum : `${quorum} (approved by ${by})`]),
    ...handed.map(({ by: approver, to }) => `${visible(to)} decides for ${visible(approver)}`),
    ...waits,
    ...(asked === '' ? [] : [`escalated to ${asked}`]),
    ...(expiresSoon(proposal, now) && expiresAt > now ? [`expires in ${formatSpan(expiresAt - now)}`] : []),
  ];
}

function approverOf({ by, onBehalfOf }: ProposalView['approvals'][number]): string {
  return onBehalfOf === undefined ? visible(by) : `${visible(by)} for ${visible(onBehalfOf.by)}`;
}

/** Its dependencies: what has to succeed before it runs, and what has failed (O-37). */
export function waitingFor({ dependencies }: ProposalView): readonly string[] {
  const { waitsFor = [], failed = [] } = dependencies ?? {};
  return [
    ...(waitsFor.length === 0 ? [] : [`runs after ${waitsFor.map(visible).join(', ')}`]),
    ...failed.map(({ dependency, outcome }) => `${visible(dependency)}, which it depended on: ${outcome}`),
  ];
}
