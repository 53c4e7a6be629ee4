import { quote } from '../../../json/describe.js';
import { type Refusal, refuse } from '../../../refusal/refusal.js';
import { refuseField } from '../../wire/refuse-field.js';
import type { NegotiationOutcome } from '../eligibility.js';
import { type DecisionEnvelope, type Deliberation, decisionPhaseOf, voteOf } from './deliberation.js';
import { explainDecision, findObstacles } from './eligibility.js';
import type { DecisionTerms } from './rules.js';

/** The rules of Decision Mode for a valid message from an allowed sender: the refusal, or `undefined`. */
export function checkDecisionMessage(
  deliberation: Deliberation,
  terms: DecisionTerms,
  envelope: DecisionEnvelope,
): Refusal | undefined {
  const { message_type, payload, sender } = envelope;
  switch (message_type) {
    case 'Proposal':
      return checkBeforeVotes(deliberation, envelope) ?? checkNew(deliberation, payload.proposal_id);
    case 'Evaluation':
    case 'Objection':
      return checkExisting(deliberation, payload.proposal_id) ?? checkBeforeVotes(deliberation, envelope);
    case 'Vote':
      return (
        checkExisting(deliberation, payload.proposal_id) ??
        checkFirstVote(deliberation, sender, payload.proposal_id)
      );
    case 'Commitment':
      return checkOutcome(deliberation, terms, sender, payload.outcome_positive ? 'positive' : 'negative');
  }
}

/** N-14: what is voted on, and what was said about it, does not change under the voters. */
function checkBeforeVotes(
  deliberation: Deliberation,
  { message_type }: DecisionEnvelope,
): Refusal | undefined {
  if (decisionPhaseOf(deliberation) !== 'Voting') return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'message_type',
    found: `${message_type}, after the first Vote`,
    expected: 'Vote or Commitment',
  });
}

function checkNew({ proposers }: Deliberation, proposalId: string): Refusal | undefined {
  if (!proposers.has(proposalId)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.proposal_id',
    found: `${quote(proposalId)}, which is already taken`,
    expected: 'an id that is new in the session',
  });
}

function checkExisting({ proposers }: Deliberation, proposalId: string): Refusal | undefined {
  if (proposers.has(proposalId)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.proposal_id',
    found: `${quote(proposalId)}, which does not exist in this session`,
    expected: 'the id of an option of this session',
  });
}

function checkFirstVote(deliberation: Deliberation, sender: string, proposalId: string): Refusal | undefined {
  const earlier = voteOf(deliberation, sender, proposalId);
  if (earlier === undefined) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.proposal_id',
    found: `${quote(proposalId)}, on which ${quote(sender)} has already voted ${earlier}`,
    expected: 'an option that the sender has not voted on',
  });
}

/** N-15, N-16. Committing without any option is a mistake in the message; everything else is a denial. */
function checkOutcome(
  deliberation: Deliberation,
  terms: DecisionTerms,
  committer: string,
  outcome: NegotiationOutcome,
): Refusal | undefined {
  const { outcomes, reasons: all, ...details } = explainDecision(deliberation, terms, committer);
  if (outcomes.includes(outcome)) return undefined;
  const isEmpty = deliberation.proposers.size === 0;
  const reasons = isEmpty ? all : findObstacles(deliberation, terms, outcome);
  const what = `A ${outcome} outcome cannot be committed: ${reasons.join(' ')}`;
  return refuse(isEmpty ? 'INVALID_ENVELOPE' : 'POLICY_DENIED', what, { ...details, reasons });
}
