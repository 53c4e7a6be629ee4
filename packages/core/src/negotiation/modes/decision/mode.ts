import type { ModeDescriptor } from '../../mode-descriptors/descriptor.js';
import { checkSender, explainAuthority, namesTakingPart, takesPart } from '../authority.js';
import type { Mode } from '../mode.js';
import { checkDecisionMessage } from './check-message.js';
import { applyToDecision, type Deliberation, NOTHING_PROPOSED } from './deliberation.js';
import { explainDecision } from './eligibility.js';
import { decodeDeliberation, encodeDeliberation } from './encode.js';
import { DECISION_MODE, DECISION_MODE_VERSION } from './name.js';
import { DECISION_OFFERS } from './offers.js';
import { parseDecisionRules } from './parse-rules.js';
import { DECISION_READERS, type DecisionModePayloads } from './payloads.js';
import { DECISION_POLICIES } from './policies.js';
import type { DecisionRules } from './rules.js';
import { describeDecisionMessage } from './words.js';

const DESCRIPTOR: ModeDescriptor = {
  mode: DECISION_MODE,
  mode_version: DECISION_MODE_VERSION,
  title: 'Decision Mode',
  description: 'Options are proposed, evaluated and voted on, and one outcome is committed.',
  determinism_class: 'semantic-deterministic',
  participant_model: 'declared',
  message_types: ['SessionStart', 'Proposal', 'Evaluation', 'Objection', 'Vote', 'Commitment'],
  terminal_message_types: ['Commitment'],
  schema_uris: {},
};

/** MACP's Decision Mode (N-14 … N-16): participants compare options, and one outcome is committed. */
export const decisionMode: Mode<Deliberation, DecisionModePayloads, DecisionRules> = {
  descriptor: DESCRIPTOR,
  readers: DECISION_READERS,
  policies: { builtIn: DECISION_POLICIES, parse: parseDecisionRules },
  initial: NOTHING_PROPOSED,
  mayBeEmpty: true,
  checkTerms: () => undefined,
  namesTakingPart,
  takesPart,
  checkSender,
  check: checkDecisionMessage,
  apply: (deliberation, _terms, message) => applyToDecision(deliberation, message),
  checkOpen: () => undefined,
  explain: (deliberation, terms, committer) =>
    explainAuthority(explainDecision(deliberation, terms, committer), terms),
  describe: describeDecisionMessage,
  offers: DECISION_OFFERS,
  encode: encodeDeliberation,
  decode: decodeDeliberation,
};
