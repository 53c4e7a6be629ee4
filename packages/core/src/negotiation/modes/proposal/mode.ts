import { quote } from '../../../json/describe.js';
import { failure, type Refusal, type Result, refuse, success } from '../../../refusal/refusal.js';
import type { ModeDescriptor } from '../../extension-modes/descriptor.js';
import { type MacpEnvelope, PROPOSAL_MODE, PROPOSAL_MODE_VERSION } from '../../wire/macp-envelope.js';
import { readEnvelope } from '../../wire/read-envelope.js';
import { refuseField } from '../../wire/refuse-field.js';
import type { Mode } from '../mode.js';
import type { Terms } from '../terms.js';
import { initiatorCanAccept, maySend, namesTakingPart, takesPart } from './authority.js';
import { checkMessage, isClosed, refuseClosed } from './check-message.js';
import { sayWhoMay } from './eligibility.js';
import { encodeNegotiation } from './encode.js';
import {
  applyMessage,
  isModeEnvelope,
  type ModeEnvelope,
  type Negotiation,
  NOTHING_SAID,
} from './negotiation.js';

const DESCRIPTOR: ModeDescriptor = {
  mode: PROPOSAL_MODE,
  mode_version: PROPOSAL_MODE_VERSION,
  title: 'Proposal Mode',
  description: 'Offers and counter-offers between peers until all accept one, or one ends it.',
  determinism_class: 'semantic-deterministic',
  participant_model: 'peer',
  message_types: [
    'SessionStart',
    'Proposal',
    'CounterProposal',
    'Accept',
    'Reject',
    'Withdraw',
    'Commitment',
  ],
  terminal_message_types: ['Commitment'],
  schema_uris: {},
};

/** MACP's Proposal Mode (N-9 … N-11): parties exchange offers until all accept one, or one ends it. */
export const proposalMode: Mode<Negotiation, ModeEnvelope> = {
  descriptor: DESCRIPTOR,
  initial: NOTHING_SAID,
  read: readMessage,
  checkTerms,
  namesTakingPart,
  takesPart,
  checkSender,
  check: checkMessage,
  apply: applyMessage,
  checkOpen: (negotiation, terms) => (isClosed(negotiation, terms) ? refuseClosed(negotiation) : undefined),
  encode: encodeNegotiation,
};

function readMessage(envelope: MacpEnvelope): Result<ModeEnvelope> {
  const read = readEnvelope(envelope);
  if (!read.ok) return read;
  if (isModeEnvelope(read.value)) return success(read.value);
  return failure(
    refuseField('INVALID_ENVELOPE', {
      field: 'message_type',
      found: `${read.value.message_type}, which only the runtime writes`,
      expected: 'a call to CancelSession, SuspendSession or ResumeSession',
    }),
  );
}

function checkSender(terms: Terms, { message_type, sender }: MacpEnvelope): Refusal | undefined {
  if (maySend(terms, message_type, sender)) return undefined;
  const found = quote(sender);
  if (message_type !== 'Commitment') {
    const what = `${found} is not a participant of this session.`;
    return refuse('FORBIDDEN', what, { field: 'sender', found, expected: 'a declared participant' });
  }
  const who = sayWhoMay(terms);
  return refuse('FORBIDDEN', `${found} may not commit: ${who}.`, { field: 'sender', found, expected: who });
}

/** A session that could never have a positive outcome is not started at all. */
function checkTerms(terms: Terms): Refusal | undefined {
  const { initiator, rules } = terms;
  if (rules.acceptance.criterion !== 'initiator' || initiatorCanAccept(terms)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.participants',
    found: `a list that does not include the initiator ${quote(initiator)}`,
    expected:
      'a list that includes the initiator: the policy requires its acceptance, and only participants can accept',
  });
}
