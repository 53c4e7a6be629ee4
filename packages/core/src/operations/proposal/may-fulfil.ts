import { authorize } from '../../capability/authorize.js';
import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { approversOf, reviewOf } from '../review/approvers.js';
import { isNamed } from '../review/policy.js';
import type { Proposal } from './proposal.js';

/**
 * Why somebody may not fulfil a proposal as it is now, whatever its capabilities: it is no longer pending (O-12), its
 * own (O-24), or reserved for others (O-20). Nothing when it may.
 */
export function checkMayFulfil(
  proposal: Proposal,
  who: string,
  context: ProposalContext,
): Refusal | undefined {
  return checkOpen(proposal, who, context) ?? checkReserved(proposal, who);
}

function checkOpen(
  proposal: Proposal,
  who: string,
  { settings, sender }: ProposalContext,
): Refusal | undefined {
  if (proposal.phase !== 'pending') return refuseNotPending(proposal);
  // Another token of the same person is the same person (O-30).
  const { subject = proposal.proposer } = proposal.requester ?? {};
  const isOwn = who === proposal.proposer || (sender?.subject ?? who) === subject;
  if (isOwn && !settings.selfFulfilment) {
    return refuse('self_fulfilment', `${quote(who)} proposed ${quote(proposal.id)} and may not fulfil it.`, {
      proposal: proposal.id,
    });
  }
  return undefined;
}

function checkReserved(proposal: Proposal, who: string): Refusal | undefined {
  const { targeting } = proposal;
  const reserved = targeting?.exclusive === true && !proposal.opened;
  if (!reserved || targeting.preferred.includes(who)) return undefined;
  const names = targeting.preferred.map(quote).join(', ');
  return refuse('reserved', `${quote(proposal.id)} is reserved for ${names}.`, {
    proposal: proposal.id,
    preferred: targeting.preferred,
    until: targeting.until,
  });
}

/**
 * Whether the sender of a rejection could approve the proposal instead: it may, and it has the capability for the
 * request. Under a policy a reservation does not matter: the proposer makes it, and would choose who may veto (O-31).
 */
export function couldApprove(proposal: Proposal, who: string, context: ProposalContext): boolean {
  const { sender } = context;
  const { settings } = context;
  const entry = reviewOf(proposal, settings);
  const check = entry === undefined ? checkMayFulfil : checkOpen;
  if (sender === undefined || check(proposal, who, context) !== undefined) return false;
  const approvers = entry === undefined ? [] : approversOf(proposal, entry, settings);
  if (!isNamed(approvers, { name: who, roles: sender.roles })) return false;
  return authorize(sender.capabilities, requestFor(proposal, who)) === undefined;
}

/** The request that would fulfil a proposal as it was proposed, as far as capabilities look at it. */
export function requestFor(
  { method, params }: Pick<Proposal, 'method' | 'params'>,
  from: string,
): Pick<Envelope, 'from' | 'kind' | 'payload'> {
  return { from, kind: `mcp.request.${method}`, payload: { method, params } };
}

/** Says how the proposal ended and who decided it (O-12). */
export function refuseNotPending(proposal: Proposal): Refusal {
  const { fulfilment } = proposal;
  const by =
    fulfilment?.by ??
    proposal.cleared?.by ??
    (proposal.phase === 'withdrawn' ? proposal.proposer : undefined);
  const who = by === undefined ? '' : ` by ${quote(by)}`;
  const what = fulfilment === undefined ? proposal.phase : 'fulfilled';
  return refuse('proposal_not_pending', `${quote(proposal.id)} is no longer pending: ${what}${who}.`, {
    proposal: proposal.id,
    state: proposal.phase,
    by,
    at: fulfilment?.at ?? proposal.changedAt,
  });
}
