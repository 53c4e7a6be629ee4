import { approvalProgress, describeProgress } from '@proffer/core/approvals';
import { expiresSoon } from '@proffer/core/lifetime';
import type { ProposalView } from '../proposals/proposal-view.js';
import { formatSpan } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';

/** Who approved a pending proposal, how many approvals it takes and who is missing; nothing where no policy counts them. */
export function quorumOf(proposal: ProposalView): string | undefined {
  const progress = approvalProgress(proposal);
  return progress === undefined ? undefined : visible(describeProgress(progress));
}

/**
 * Where a pending proposal stands, each as a phrase that can be shown: how far its approvals are and who gave them, whom
 * the gateway asked since nobody decided (O-33), and that it expires soon (O-36).
 */
export function standingOf(proposal: ProposalView, now: number): readonly string[] {
  const { phase, approvals, escalatedTo, expiresAt = 0 } = proposal;
  if (phase !== 'pending') return [];
  const quorum = quorumOf(proposal);
  const by = [...new Set(approvals.map((approval) => visible(approval.by)))].join(', ');
  const asked = escalatedTo.map((name) => visible(name.replace(/^role:/, ''))).join(', ');
  return [
    ...(quorum === undefined ? [] : [`${quorum} (approved by ${by})`]),
    ...(asked === '' ? [] : [`escalated to ${asked}`]),
    ...(expiresSoon(proposal, now) && expiresAt > now ? [`expires in ${formatSpan(expiresAt - now)}`] : []),
  ];
}
