import { quote } from '../../../json/describe.js';
import type { JsonObject } from '../../../json/json.js';
import { failure, type Refusal, type Result, refuse, success } from '../../../refusal/refusal.js';
import type { ModeDescriptor } from '../../extension-modes/descriptor.js';
import {
  type MacpEnvelope,
  PROPOSAL_MODE,
  PROPOSAL_MODE_VERSION,
  withPayload,
} from '../../wire/macp-envelope.js';
import { COMMON_READERS, readPayload } from '../../wire/payloads.js';
import type { Reader } from '../../wire/readers.js';
import { refuseField } from '../../wire/refuse-field.js';
import type { Mode } from '../mode.js';
import type { Terms } from '../terms.js';
import { initiatorCanAccept, maySend, namesTakingPart, takesPart } from './authority.js';
import { checkMessage, isClosed, refuseClosed } from './check-message.js';
import { sayWhoMay } from './eligibility.js';
import { decodeNegotiation, encodeNegotiation } from './encode.js';
import { applyMessage, type ModeEnvelope, type Negotiation, NOTHING_SAID } from './negotiation.js';
import { PROPOSAL_READERS, type ProposalModePayloads } from './payloads.js';

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
export const proposalMode: Mode<Negotiation, ModeEnvelope, ProposalModePayloads> = {
  descriptor: DESCRIPTOR,
  readers: PROPOSAL_READERS,
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
  decode: decodeNegotiation,
};

const READERS: ReadonlyMap<string, Reader<JsonObject>> = new Map(
  Object.entries<Reader<JsonObject>>({ ...PROPOSAL_READERS, Commitment: COMMON_READERS.Commitment }),
);

function readMessage(envelope: MacpEnvelope): Result<ModeEnvelope> {
  const { message_type } = envelope;
  const reader = READERS.get(message_type);
  if (reader === undefined) return failure(refuseType(message_type));
  const payload = readPayload(reader, envelope.payload);
  // The reader of a type gives that type's payload; the compiler cannot follow the pair through.
  return payload.ok ? success(withPayload(envelope, payload.value) as ModeEnvelope) : payload;
}

function refuseType(type: string): Refusal {
  const isOfRuntime = Object.hasOwn(COMMON_READERS, type);
  return refuseField('INVALID_ENVELOPE', {
    field: 'message_type',
    found: isOfRuntime ? `${type}, which only the runtime writes` : quote(type),
    expected: isOfRuntime
      ? 'a call to CancelSession, SuspendSession or ResumeSession'
      : `${Object.keys(PROPOSAL_READERS).join(', ')} or Commitment`,
  });
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
