import type { Decision } from '../../decision.js';
import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext, ProposalContext } from '../context.js';
import type { ProposalRecord } from '../records.js';
import { couldApprove } from '../review/could-approve.js';
import { fingerprint } from './fingerprint.js';
import { checkTtl, lifetimeFrom } from './lifetime.js';
import { isFulfilled, isOpen, isOver, type Proposal } from './proposal.js';

type Now = Pick<DecisionContext, 'now'>;

/** Withdrawal: only by the proposer, immediate and final (O-15); late ones are ignored (O-16). */
export function decideWithdraw(
  proposal: Proposal | undefined,
  envelope: Envelope,
  { now }: Now,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  const refused = checkProposer(proposal, envelope);
  if (refused !== undefined) return { refused };
  if (!isOpen(proposal)) return { unchanged: 'late' };
  return { records: [{ type: 'withdrawn', ...remark(proposal, envelope, now) }] };
}

/** Whether a message comes from the proposer. */
export function checkProposer({ id, proposer }: Proposal, { from }: Envelope): Refusal | undefined {
  if (proposer === from) return undefined;
  const sentence = `${quote(id)} was proposed by ${quote(proposer)}.`;
  return refuse('not_proposer', sentence, { proposal: id, proposer });
}

/**
 * Renewal: the proposer extends a pending proposal, counted from now (O-36); late ones are ignored
 * (O-16).
 */
export function decideRenew(
  proposal: Proposal | undefined,
  envelope: Envelope,
  { now, settings }: ProposalContext,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  const refused = checkProposer(proposal, envelope) ?? checkTtl(envelope.payload['ttl'], settings);
  if (refused !== undefined) return { refused };
  if (!isOpen(proposal)) return { unchanged: 'late' };
  const about = { proposal: proposal.id, fingerprint: fingerprint(envelope) };
  const facts = { ...about, ...lifetimeFrom(envelope.payload['ttl'], settings, now) };
  return { records: [{ type: 'renewed', time: now, principal: envelope.from, envelope, facts }] };
}

/**
 * Rejection: by anyone except the proposer, recorded without changing the state (O-17) and marked if its sender could
 * have approved instead (O-31); late ones are ignored (O-16).
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
  const could = couldApprove(proposal, envelope.from, context);
  const facts = {
    proposal: proposal.id,
    fingerprint: fingerprint(envelope),
    ...(could === false ? {} : ({ couldApprove: true, ...could } as const)),
    ...(context.sender?.subject === undefined ? {} : { subject: context.sender.subject }),
    ...(context.sender?.roles === undefined ? {} : { roles: context.sender.roles }),
    ...(context.agreement === undefined ? {} : { session: context.agreement.session }),
  };
  return { records: [{ type: 'rejected', time: context.now, principal: envelope.from, envelope, facts }] };
}

/**
 * Status: information without obligation, with progress while it runs (O-42); late ones are ignored (O-16). That
 * someone looked at hidden values is recorded at any time.
 */
export function decideStatus(
  proposal: Proposal | undefined,
  envelope: Envelope,
  { now }: Now,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  const { status } = envelope.payload;
  const isProgress = isFulfilled(proposal) && !isOver(proposal) && status === 'processing';
  if (!isOpen(proposal) && !isProgress && status !== 'revealed') return { unchanged: 'late' };
  return { records: [{ type: 'status_reported', ...remark(proposal, envelope, now) }] };
}

function remark(proposal: Proposal, envelope: Envelope, time: number) {
  const facts = { proposal: proposal.id, fingerprint: fingerprint(envelope) };
  return { time, principal: envelope.from, envelope, facts } as const;
}

/** The refusal for a message about an unknown proposal (O-16). */
export function refuseUnknownProposal(envelope: Envelope): Refusal {
  const ids = correlationIds(envelope);
  const named = ids.map(quote).join(', ');
  return refuse('unknown_proposal', `Proposal ${named} not found in this space.`, { proposals: ids });
}
