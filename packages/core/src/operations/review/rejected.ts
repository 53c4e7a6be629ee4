import type { Proposal } from '../proposal/proposal.js';
import { rejectsProposal } from '../proposal/rejection.js';
import type { Rejected } from '../records.js';
import type { SpaceSettings } from '../settings.js';
import { reviewOf } from './approvers.js';
import { isClosed } from './policy.js';

/** Why a rejection ends a proposal under a policy (O-31). */
export type RejectionEnding = { readonly why: 'veto' | 'impossible'; readonly entry: string };

/**
 * Whether a rejection ends a proposal: by a veto, or because too few are left who could approve it.
 * Only a rejection by someone whose approval would count matters. Without a policy it is only a
 * remark.
 *
 * @param proposal - before the rejection
 */
export function endingBy(
  proposal: Proposal,
  { principal, facts, envelope }: Rejected,
  settings: Pick<SpaceSettings, 'review'>,
): RejectionEnding | undefined {
  const { reason } = envelope.payload;
  if (facts.couldApprove !== true || typeof reason !== 'string' || !rejectsProposal({ reason }))
    return undefined;
  const entry = reviewOf(proposal, settings);
  if (entry === undefined) return undefined;
  if (entry.veto) return { why: 'veto', entry: entry.name };
  const mayGrow = entry.escalate.some(({ to }) => to.length > 0);
  if (!isClosed(entry.from) || mayGrow) return undefined;
  const left = entry.from.filter((name) => {
    if (name === principal || name === proposal.proposer) return false;
    const rejection = proposal.rejections.get(name);
    // A rejection withdraws an earlier approval: someone with an approval has changed their mind since.
    const hasApproved = proposal.approvals.some(({ by }) => by === name);
    return hasApproved || rejection === undefined || !rejectsProposal(rejection);
  });
  return left.length < entry.approvals ? { why: 'impossible', entry: entry.name } : undefined;
}
