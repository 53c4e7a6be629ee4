import { quote } from '../../../json/describe.js';
import { type Refusal, refuse } from '../../../refusal/refusal.js';
import { refuseField } from '../../wire/refuse-field.js';
import { checkOutcome } from '../eligibility.js';
import { explainOutcomes } from './eligibility.js';
import { isTerminal, type ModeEnvelope, type Negotiation, phaseOf } from './negotiation.js';
import type { ProposalTerms } from './rules.js';

/**
 * The rules of Proposal Mode for a valid message from an allowed sender: the refusal, or `undefined`.
 * The session checks the versions that a Commitment names.
 */
export function checkMessage(
  negotiation: Negotiation,
  terms: ProposalTerms,
  envelope: ModeEnvelope,
): Refusal | undefined {
  return checkClosed(negotiation, terms, envelope) ?? checkByType(negotiation, terms, envelope);
}

/**
 * N-11: after a terminal rejection the only options are to commit, or to withdraw the rejected
 * proposal.
 */
export function isClosed(negotiation: Negotiation, { rules }: ProposalTerms): boolean {
  return rules.rejection.closes_negotiation && phaseOf(negotiation) === 'TerminalRejected';
}

function checkClosed(
  negotiation: Negotiation,
  terms: ProposalTerms,
  { message_type, payload }: ModeEnvelope,
): Refusal | undefined {
  if (!isClosed(negotiation, terms) || message_type === 'Commitment') return undefined;
  const { terminalRejections } = negotiation;
  if (message_type === 'Withdraw' && terminalRejections.has(payload.proposal_id)) return undefined;
  return refuseClosed(negotiation);
}

/** The refusal for messages after a terminal rejection (N-11). */
export function refuseClosed({ terminalRejections }: Negotiation): Refusal {
  const [[proposalId, by] = ['', '']] = terminalRejections;
  const what = `${quote(by)} has rejected ${quote(proposalId)} for good. Now the session can only be committed or cancelled, or the proposal withdrawn.`;
  return refuse('SESSION_NOT_OPEN', what, { proposal_id: proposalId, rejected_by: by });
}

function checkByType(
  negotiation: Negotiation,
  terms: ProposalTerms,
  envelope: ModeEnvelope,
): Refusal | undefined {
  const { message_type, payload, sender } = envelope;
  switch (message_type) {
    case 'Proposal':
      return checkNew(negotiation, payload.proposal_id);
    case 'CounterProposal':
      return (
        checkNew(negotiation, payload.proposal_id) ??
        checkExisting(negotiation, payload.supersedes_proposal_id) ??
        checkRounds(negotiation, terms)
      );
    case 'Accept':
      return checkLive(negotiation, payload.proposal_id);
    case 'Reject':
      return (
        checkLive(negotiation, payload.proposal_id) ??
        (payload.terminal && !isTerminal(terms, sender, payload) ? refuseTerminal(terms, sender) : undefined)
      );
    case 'Withdraw':
      return (
        checkLive(negotiation, payload.proposal_id) ??
        checkAuthor(negotiation, terms, payload.proposal_id, sender)
      );
    case 'Commitment': {
      const explained = explainOutcomes(negotiation, terms, sender);
      const { missing, rejected } = explained;
      return checkOutcome(explained, payload, { missing, rejected });
    }
  }
}

function checkNew({ proposers }: Negotiation, proposalId: string): Refusal | undefined {
  if (!proposers.has(proposalId)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.proposal_id',
    found: `${quote(proposalId)}, which is already taken`,
    expected: 'an id that is new in the session',
  });
}

function checkExisting({ proposers }: Negotiation, proposalId: string): Refusal | undefined {
  if (proposers.has(proposalId)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.supersedes_proposal_id',
    found: `${quote(proposalId)}, which does not exist in this session`,
    expected: 'the id of a proposal of this session',
  });
}

function checkLive({ proposers, live }: Negotiation, proposalId: string): Refusal | undefined {
  if (live.has(proposalId)) return undefined;
  const why = proposers.has(proposalId) ? 'which is withdrawn' : 'which does not exist in this session';
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.proposal_id',
    found: `${quote(proposalId)}, ${why}`,
    expected: 'the id of a live proposal',
  });
}

function checkRounds({ counterProposals }: Negotiation, { rules }: ProposalTerms): Refusal | undefined {
  const { max_rounds } = rules.counter_proposal;
  if (max_rounds === 0 || counterProposals < max_rounds) return undefined;
  const what = `The policy allows ${max_rounds} counter-proposals, and all of them have been made.`;
  return refuse('INVALID_ENVELOPE', what, {
    field: 'message_type',
    found: 'CounterProposal',
    expected: 'Accept, Reject or Withdraw',
  });
}

function refuseTerminal({ initiator }: ProposalTerms, sender: string): Refusal {
  const what = `${quote(sender)} may not reject for good; only the initiator ${quote(initiator)} may.`;
  return refuse('FORBIDDEN', what, { field: 'payload.terminal', found: true, expected: false });
}

function checkAuthor(
  { proposers }: Negotiation,
  { rules }: ProposalTerms,
  proposalId: string,
  sender: string,
): Refusal | undefined {
  const author = proposers.get(proposalId) ?? '';
  if (rules.withdrawal.authority === 'any_participant' || author === sender) return undefined;
  const what = `Only its author ${quote(author)} may withdraw ${quote(proposalId)}.`;
  return refuse('FORBIDDEN', what, { field: 'sender', found: quote(sender), expected: author });
}
