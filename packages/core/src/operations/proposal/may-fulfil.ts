import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import type { Proposal } from './proposal.js';

/**
 * Why a participant may not fulfil a proposal now, whatever its capabilities: it is no longer pending
 * (O-12), its own (O-24), or reserved for others (O-20). `undefined` if it may.
 */
export function checkMayFulfil(
  proposal: Proposal,
  who: string,
  context: ProposalContext,
): Refusal | undefined {
  return checkOpen(proposal, who, context) ?? checkReserved(proposal, who);
}

/** {@link checkMayFulfil} without the reservation. */
export function checkOpen(
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

/** The request that would fulfil a proposal unchanged, as far as capabilities need it. */
export function requestFor(
  { method, params }: Pick<Proposal, 'method' | 'params'>,
  from: string,
): Pick<Envelope, 'from' | 'kind' | 'payload'> {
  return { from, kind: `mcp.request.${method}`, payload: { method, params } };
}

/** Says how the proposal ended and who decided it (O-12). */
export function refuseNotPending(proposal: Proposal): Refusal {
  const { fulfilment, cleared, ending, phase, proposer } = proposal;
  const endedBy = ending !== undefined && 'by' in ending ? ending.by : undefined;
  const by =
    fulfilment?.by ?? (phase === 'approved' ? cleared?.by : phase === 'withdrawn' ? proposer : endedBy);
  const who = by === undefined ? '' : ` by ${quote(by)}`;
  const what = fulfilment === undefined ? phase : 'approved';
  return refuse('proposal_not_pending', `${quote(proposal.id)} is no longer pending: ${what}${who}.`, {
    proposal: proposal.id,
    state: proposal.phase,
    by,
    at: fulfilment?.at ?? proposal.changedAt,
  });
}
