import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext, ProposalContext } from '../context.js';
import { refuseUnknownProposal } from '../proposal/decide-remark.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { Proposal } from '../proposal/proposal.js';
import type { Delegated, ProposalRecord } from '../records.js';
import { approversOf, reviewOf } from '../review/approvers.js';
import { isAmong } from '../review/policy.js';
import type { SpaceState } from '../space/space.js';
import { type DelegationFacts, readDelegation } from './delegation.js';

/**
 * An approver delegates its part in one proposal, or takes it back (O-34). Only someone named by the
 * policy has a part to delegate. Late ones are ignored (O-16).
 */
export function decideDelegate(
  proposal: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  if (proposal.phase !== 'pending') return { unchanged: 'late' };
  const facts = delegationFacts(envelope, context);
  const refused =
    checkDelegation(envelope, facts, context.now) ??
    checkProposer(proposal, facts) ??
    checkPart(proposal, envelope, context);
  if (refused !== undefined) return { refused };
  const about = { proposal: proposal.id, fingerprint: fingerprint(envelope), audience: audienceOf(facts) };
  return {
    records: [
      {
        type: 'review_delegated',
        time: context.now,
        principal: envelope.from,
        envelope,
        facts: { ...about, ...facts },
      },
    ],
  };
}

/** The facts of a delegation: to whom, until when, and from whom. */
function delegationFacts(envelope: Envelope, { sender }: Pick<DecisionContext, 'sender'>): DelegationFacts {
  const { subject, roles, isConfigured } = sender ?? {};
  return {
    ...readDelegation(envelope),
    ...(subject === undefined ? {} : { subject }),
    ...(roles === undefined ? {} : { roles }),
    ...(isConfigured === true ? { configured: true } : {}),
  };
}

/** Why a delegation is meaningless, whatever it is about. */
function checkDelegation(
  { from }: Envelope,
  { to, until = Number.POSITIVE_INFINITY }: DelegationFacts,
  now: number,
): Refusal | undefined {
  if (to === from) return refuseDelegate(`${quote(from)} cannot delegate to itself.`, to);
  if (until > now) return undefined;
  return refuse('invalid_field', 'payload.until is in the past.', {
    field: 'payload.until',
    found: until,
    expected: `later than ${now}`,
  });
}

/** The delegate is told, however it follows the space. */
function audienceOf({ to }: DelegationFacts): readonly string[] {
  return to === undefined ? [] : [to];
}

function checkProposer({ id, proposer }: Proposal, { to }: DelegationFacts): Refusal | undefined {
  if (to !== proposer) return undefined;
  return refuseDelegate(`${quote(to)} proposed ${quote(id)} and cannot approve it.`, to);
}

function checkPart(
  proposal: Proposal,
  { from: name }: Envelope,
  { settings, sender }: ProposalContext,
): Refusal | undefined {
  const entry = reviewOf(proposal, settings);
  const approvers = entry === undefined ? [] : approversOf(proposal, entry, settings);
  if (isAmong(approvers, { name, roles: sender?.roles, isInvited: sender?.isInvited })) return undefined;
  const sentence = `No policy asks ${quote(name)} to approve ${quote(proposal.id)}, so there is no review to delegate.`;
  return refuse('not_approver', sentence, { proposal: proposal.id, from: approvers });
}

function refuseDelegate(sentence: string, to: string): Refusal {
  return refuse('invalid_delegate', sentence, { field: 'payload.to', found: to });
}

/**
 * A participant delegates its part in all reviews, or takes it back (O-34). Whether it has a part is
 * checked with each proposal: the policy may name it later.
 */
export function delegateAll(
  _space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): { readonly record: Delegated } | { readonly refused: Refusal } {
  const { from: participant } = envelope;
  const facts = delegationFacts(envelope, context);
  const refused = checkDelegation(envelope, facts, context.now);
  if (refused !== undefined) return { refused };
  const record: Delegated = {
    type: 'delegated',
    time: context.now,
    principal: participant,
    envelope,
    facts: { participant, fingerprint: fingerprint(envelope), audience: audienceOf(facts), ...facts },
  };
  return { record };
}
