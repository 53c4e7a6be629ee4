import { quote } from '../../../json/describe.js';
import type { Refusal } from '../../../refusal/refusal.js';
import type { ModeDescriptor } from '../../mode-descriptors/descriptor.js';
import { refuseField } from '../../wire/refuse-field.js';
import { checkSender, explainAuthority, mayCommit, namesTakingPart, takesPart } from '../authority.js';
import type { Mode } from '../mode.js';
import { checkMessage, isClosed, refuseClosed } from './check-message.js';
import { explainOutcomes } from './eligibility.js';
import { decodeNegotiation, encodeNegotiation } from './encode.js';
import { PROPOSAL_MODE, PROPOSAL_MODE_VERSION } from './name.js';
import { applyMessage, type Negotiation, NOTHING_SAID } from './negotiation.js';
import { PROPOSAL_OFFERS } from './offers.js';
import { parseProposalRules } from './parse-rules.js';
import { PROPOSAL_READERS, type ProposalModePayloads } from './payloads.js';
import { PROPOSAL_POLICIES } from './policies.js';
import type { ProposalRules, ProposalTerms } from './rules.js';
import { describeProposalMessage } from './words.js';

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
export const proposalMode: Mode<Negotiation, ProposalModePayloads, ProposalRules> = {
  descriptor: DESCRIPTOR,
  readers: PROPOSAL_READERS,
  policies: { builtIn: PROPOSAL_POLICIES, parse: parseProposalRules },
  initial: NOTHING_SAID,
  checkTerms,
  namesTakingPart,
  takesPart,
  checkSender,
  check: checkMessage,
  apply: applyMessage,
  checkOpen: (negotiation, terms) => (isClosed(negotiation, terms) ? refuseClosed(negotiation) : undefined),
  explain: (negotiation, terms, committer) =>
    explainAuthority(explainOutcomes(negotiation, terms, committer), terms),
  describe: describeProposalMessage,
  offers: PROPOSAL_OFFERS,
  encode: encodeNegotiation,
  decode: decodeNegotiation,
};

/** A session that could never have a positive outcome is not started. */
function checkTerms(terms: ProposalTerms): Refusal | undefined {
  const { initiator, rules } = terms;
  if (rules.acceptance.criterion !== 'initiator' || initiatorCanAccept(terms)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.participants',
    found: `a list that does not include the initiator ${quote(initiator)}`,
    expected:
      'a list that includes the initiator: the policy requires its acceptance, and only participants can accept',
  });
}

/**
 * Whether the initiator can accept a proposal: only participants send Accept; an outside initiator
 * can only commit, if the policy treats that as an acceptance.
 */
export function initiatorCanAccept(terms: ProposalTerms): boolean {
  const { initiator, participants, rules } = terms;
  if (participants.has(initiator)) return true;
  return rules.acceptance.commitment_accepts && mayCommit(terms, initiator);
}
