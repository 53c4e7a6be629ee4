import { quote } from '../../../json/describe.js';
import { type Refusal, refuse } from '../../../refusal/refusal.js';
import { refuseField } from '../../wire/refuse-field.js';
import { checkSender, explainAuthority, namesTakingPart, takesPart } from '../authority.js';
import type { Mode } from '../mode.js';
import { checkHandoffMessage, explainHandoff } from './check-message.js';
import { HANDOFF_MODE, HANDOFF_MODE_VERSION } from './name.js';
import { HANDOFF_READERS, type HandoffModePayloads } from './payloads.js';
import { HANDOFF_POLICIES, type HandoffRules, type HandoffTerms } from './rules.js';
import { applyHandoffMessage, decodeTransfer, encodeTransfer, NO_OFFER, type Transfer } from './transfer.js';
import { describeHandoffMessage } from './words.js';

/** What only the owner of the responsibility sends. */
const OF_OWNER: ReadonlySet<string> = new Set(['HandoffOffer', 'HandoffContext']);

/** MACP's Handoff Mode (N-23, N-24): the owner of a responsibility offers it to one participant after another. */
export const handoffMode: Mode<Transfer, HandoffModePayloads, HandoffRules> = {
  descriptor: {
    mode: HANDOFF_MODE,
    mode_version: HANDOFF_MODE_VERSION,
    title: 'Handoff Mode',
    description: 'A responsibility is offered to one participant at a time until one takes it.',
    determinism_class: 'context-frozen',
    participant_model: 'delegated',
    message_types: [
      'SessionStart',
      'HandoffOffer',
      'HandoffContext',
      'HandoffAccept',
      'HandoffDecline',
      'Commitment',
    ],
    terminal_message_types: ['Commitment'],
    schema_uris: {},
  },
  readers: HANDOFF_READERS,
  policies: HANDOFF_POLICIES,
  initial: NO_OFFER,
  checkTerms,
  namesTakingPart,
  takesPart,
  checkSender: (terms, envelope) =>
    OF_OWNER.has(envelope.message_type) ? checkOwner(terms, envelope.sender) : checkSender(terms, envelope),
  check: checkHandoffMessage,
  apply: (transfer, _terms, message) => applyHandoffMessage(transfer, message),
  checkOpen: () => undefined,
  explain: (transfer, terms, committer) => explainAuthority(explainHandoff(transfer, committer), terms),
  describe: describeHandoffMessage,
  encode: encodeTransfer,
  decode: decodeTransfer,
};

/** A session without its owner, or without anybody who could take over, is not started. */
function checkTerms({ initiator, participants }: HandoffTerms): Refusal | undefined {
  if (participants.has(initiator) && participants.size > 1) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.participants',
    found: participants.has(initiator)
      ? `only the owner ${quote(initiator)}`
      : `a list without the owner ${quote(initiator)}`,
    expected: 'the owner, who starts the session, and at least one other participant',
  });
}

function checkOwner({ initiator }: HandoffTerms, sender: string): Refusal | undefined {
  if (sender === initiator) return undefined;
  const what = `${quote(sender)} may not send this: only the initiator ${quote(initiator)} has the responsibility.`;
  return refuse('FORBIDDEN', what, { field: 'sender', found: quote(sender), expected: initiator });
}
