import type { Decision } from '../decision.js';
import { correlationIds, type Envelope } from '../envelope/envelope.js';
import { quote } from '../json/describe.js';
import { type Refusal, refuse } from '../refusal/refusal.js';
import type { ProposalContext, Surroundings } from './context.js';
import { fingerprint } from './fingerprint.js';
import { mayFulfil } from './may-fulfil.js';
import type { Proposal } from './proposal.js';
import type { ProposalRecord } from './records.js';

type Now = Pick<Surroundings, 'now'>;

/** Withdrawal: the proposer's alone, immediate and final (O-15); late ones are ignored (O-16). */
export function decideWithdraw(
  proposal: Proposal | undefined,
  envelope: Envelope,
  { now }: Now,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  if (proposal.proposer !== envelope.from) {
    const sentence = `${quote(proposal.id)} was proposed by ${quote(proposal.proposer)}.`;
    const details = { proposal: proposal.id, proposer: proposal.proposer };
    return { refused: refuse('not_proposer', sentence, details) };
  }
  return remark('withdrawn', proposal, envelope, now);
}

/**
 * Rejection: anybody's but the proposer's, recorded beside the state (O-17) and marked when its sender could have
 * approved instead (O-31); late ones are ignored (O-16).
 */
export function decideReject(
  proposal: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  if (proposal.proposer === envelope.from) {
    const sentence = `${quote(proposal.id)} is your own proposal.`;
    return { refused: refuse('use_withdraw', sentence, { proposal: proposal.id }) };
  }
  if (proposal.phase !== 'pending') return { unchanged: 'late' };
  const facts = {
    proposal: proposal.id,
    fingerprint: fingerprint(envelope),
    ...(mayFulfil(proposal, envelope.from, context) ? ({ couldApprove: true } as const) : {}),
  };
  return { records: [{ type: 'rejected', time: context.now, principal: envelope.from, envelope, facts }] };
}

/** Status: information without obligation; late ones are ignored (O-16). */
export function decideStatus(
  proposal: Proposal | undefined,
  envelope: Envelope,
  { now }: Now,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  return remark('status_reported', proposal, envelope, now);
}

function remark(
  type: 'withdrawn' | 'status_reported',
  proposal: Proposal,
  envelope: Envelope,
  now: number,
): Decision<ProposalRecord> {
  if (proposal.phase !== 'pending') return { unchanged: 'late' };
  const facts = { proposal: proposal.id, fingerprint: fingerprint(envelope) };
  return { records: [{ type, time: now, principal: envelope.from, envelope, facts }] };
}

/** The refusal for a message about a proposal that this space has never seen (O-16). */
export function refuseUnknownProposal(envelope: Envelope): Refusal {
  const ids = correlationIds(envelope);
  const named = ids.map(quote).join(', ');
  return refuse('unknown_proposal', `There is no proposal ${named} in this space.`, { proposals: ids });
}
