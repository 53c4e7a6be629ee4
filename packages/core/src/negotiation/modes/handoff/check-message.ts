import { quote } from '../../../json/describe.js';
import { type Refusal, refuse } from '../../../refusal/refusal.js';
import { refuseField } from '../../wire/refuse-field.js';
import type { Eligibility } from '../eligibility.js';
import { checkOutcome } from '../eligibility.js';
import type { HandoffOfferPayload } from './payloads.js';
import type { HandoffTerms } from './rules.js';
import { type HandoffEnvelope, latestOffer, type Transfer } from './transfer.js';

/** The rules of Handoff Mode for a valid message from an allowed sender (N-23, N-24): the refusal, or `undefined`. */
export function checkHandoffMessage(
  transfer: Transfer,
  terms: HandoffTerms,
  message: HandoffEnvelope,
): Refusal | undefined {
  const { sender } = message;
  switch (message.message_type) {
    case 'HandoffOffer':
      return checkOffer(transfer, terms, message.payload);
    case 'HandoffContext':
      return checkExists(transfer, message.payload);
    case 'HandoffAccept': {
      const { implicit, accepted_by } = message.payload;
      return implicit
        ? refuseImplicit()
        : checkAnswer(transfer, message.payload, sender, ['accepted_by', accepted_by]);
    }
    case 'HandoffDecline':
      return checkAnswer(transfer, message.payload, sender, ['declined_by', message.payload.declined_by]);
    case 'Commitment':
      return checkOutcome(explainHandoff(transfer, sender), message.payload);
  }
}

/**
 * Which outcomes the rules allow now, and why not the others (N-24). A responsibility that nobody took is not handed
 * over, so a positive outcome needs an acceptance.
 */
export function explainHandoff(transfer: Transfer, committer: string): Eligibility {
  const offer = latestOffer(transfer);
  if (offer === undefined) return { committer, outcomes: [], reasons: ['Nothing has been offered.'] };
  const { target, disposition } = offer;
  if (disposition === 'accepted') {
    const reason = `${quote(target)} has accepted the responsibility.`;
    return { committer, outcomes: ['positive', 'negative'], reasons: [reason] };
  }
  const reason =
    disposition === 'offered' ? `${quote(target)} has not answered yet.` : `${quote(target)} has declined.`;
  return { committer, outcomes: transfer.declined.size > 0 ? ['negative'] : [], reasons: [reason] };
}

function checkOffer(
  transfer: Transfer,
  { initiator, participants }: HandoffTerms,
  { handoff_id, target_participant: target }: HandoffOfferPayload,
): Refusal | undefined {
  if (transfer.offers.has(handoff_id)) {
    return refuseField('INVALID_ENVELOPE', {
      field: 'payload.handoff_id',
      found: `${quote(handoff_id)}, which is already taken`,
      expected: 'an id that is new in the session',
    });
  }
  const before = latestOffer(transfer);
  if (before !== undefined && before.disposition !== 'declined') {
    const what =
      before.disposition === 'accepted'
        ? `${quote(before.target)} has accepted the responsibility. Now the handoff can only be committed.`
        : `${quote(before.target)} has not answered yet. There is one offer at a time.`;
    return refuse('INVALID_ENVELOPE', what, { field: 'message_type', found: 'HandoffOffer' });
  }
  const found = !participants.has(target)
    ? `${quote(target)}, which is not a participant`
    : target === initiator
      ? `${quote(target)}, which has the responsibility`
      : transfer.declined.has(target)
        ? `${quote(target)}, which has declined`
        : undefined;
  if (found === undefined) return undefined;
  const expected = 'another participant that has not declined';
  return refuseField('INVALID_ENVELOPE', { field: 'payload.target_participant', found, expected });
}

function checkExists(
  { offers }: Transfer,
  { handoff_id }: { readonly handoff_id: string },
): Refusal | undefined {
  if (offers.has(handoff_id)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.handoff_id',
    found: `${quote(handoff_id)}, which does not exist in this session`,
    expected: 'the id of an offer of this session',
  });
}

/** @param named - the field that repeats who sent it, or is empty */
function checkAnswer(
  transfer: Transfer,
  payload: { readonly handoff_id: string },
  sender: string,
  [field, found]: readonly [string, string],
): Refusal | undefined {
  const offer = transfer.offers.get(payload.handoff_id);
  if (offer === undefined) return checkExists(transfer, payload);
  if (offer.target !== sender) {
    const what = `Only ${quote(offer.target)} may answer ${quote(payload.handoff_id)}.`;
    return refuse('FORBIDDEN', what, { field: 'sender', found: quote(sender), expected: offer.target });
  }
  if (found !== '' && found !== sender) {
    const expected = `the sender ${quote(sender)}, or nothing`;
    return refuseField('INVALID_ENVELOPE', { field: `payload.${field}`, found: quote(found), expected });
  }
  if (offer.disposition === 'offered') return undefined;
  const what = `${quote(payload.handoff_id)} is already ${offer.disposition}.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'payload.handoff_id', found: offer.disposition });
}

function refuseImplicit(): Refusal {
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.implicit',
    found: 'true',
    expected: 'false: only a runtime accepts in place of the target',
  });
}
