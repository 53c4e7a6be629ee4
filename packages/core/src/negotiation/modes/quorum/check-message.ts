import { quote } from '../../../json/describe.js';
import { type Refusal, refuse } from '../../../refusal/refusal.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import { refuseField } from '../../wire/refuse-field.js';
import { checkSender } from '../authority.js';
import { checkOutcome } from '../eligibility.js';
import type { ApprovalState, QuorumEnvelope } from './approval.js';
import { explainApproval } from './eligibility.js';
import type { QuorumTerms } from './rules.js';

/** N-17: the initiator asks, participant or not; participants cast ballots. The refusal, or `undefined`. */
export function checkQuorumSender(terms: QuorumTerms, envelope: MacpEnvelope): Refusal | undefined {
  if (envelope.message_type !== 'ApprovalRequest') return checkSender(terms, envelope);
  if (envelope.sender === terms.initiator) return undefined;
  const found = quote(envelope.sender);
  const expected = `the initiator ${quote(terms.initiator)}`;
  return refuse('FORBIDDEN', `${found} may not ask for the approval; only ${expected} may.`, {
    field: 'sender',
    found,
    expected,
  });
}

/** The rules of Quorum Mode for a valid message from an allowed sender: the refusal, or `undefined`. */
export function checkQuorumMessage(
  approval: ApprovalState,
  terms: QuorumTerms,
  envelope: QuorumEnvelope,
): Refusal | undefined {
  const { message_type, payload, sender } = envelope;
  switch (message_type) {
    case 'ApprovalRequest':
      return checkFirstRequest(approval) ?? checkRequired(terms, payload.required_approvals);
    case 'Approve':
    case 'Reject':
    case 'Abstain':
      return checkRequest(approval, payload.request_id) ?? checkFirstBallot(approval, sender);
    case 'Commitment': {
      const { outcomes, reasons, ...details } = explainApproval(approval, terms, sender);
      return checkOutcome({ outcomes, reasons }, payload, details);
    }
  }
}

function checkFirstRequest({ request }: ApprovalState): Refusal | undefined {
  if (request === undefined) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'message_type',
    found: `ApprovalRequest, although ${quote(request.id)} was already asked for`,
    expected: 'Approve, Reject or Abstain; a session has one request',
  });
}

function checkRequired({ participants }: QuorumTerms, required: number): Refusal | undefined {
  if (required <= participants.size) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.required_approvals',
    found: String(required),
    expected: `at most ${participants.size}, the number of participants`,
  });
}

function checkRequest({ request }: ApprovalState, requestId: string): Refusal | undefined {
  if (request?.id === requestId) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.request_id',
    found: `${quote(requestId)}, which nobody has asked for`,
    expected: request === undefined ? 'an ApprovalRequest first' : quote(request.id),
  });
}

function checkFirstBallot({ ballots }: ApprovalState, sender: string): Refusal | undefined {
  const earlier = ballots.get(sender);
  if (earlier === undefined) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'sender',
    found: `${quote(sender)}, who has already sent ${earlier}`,
    expected: 'a participant without a ballot',
  });
}
