import type { ModeDescriptor } from '../../mode-descriptors/descriptor.js';
import { explainAuthority, namesTakingPart, takesPart } from '../authority.js';
import type { Mode } from '../mode.js';
import { type ApprovalState, applyToApproval, NOTHING_REQUESTED } from './approval.js';
import { checkQuorumMessage, checkQuorumSender } from './check-message.js';
import { explainApproval } from './eligibility.js';
import { decodeApproval, encodeApproval } from './encode.js';
import { QUORUM_MODE, QUORUM_MODE_VERSION } from './name.js';
import { QUORUM_OFFERS } from './offers.js';
import { parseQuorumRules } from './parse-rules.js';
import { QUORUM_READERS, type QuorumModePayloads } from './payloads.js';
import { QUORUM_POLICIES } from './policies.js';
import type { QuorumRules } from './rules.js';
import { describeQuorumMessage } from './words.js';

const DESCRIPTOR: ModeDescriptor = {
  mode: QUORUM_MODE,
  mode_version: QUORUM_MODE_VERSION,
  title: 'Quorum Mode',
  description: 'One request is approved when enough participants approve, or fails when too few can.',
  determinism_class: 'semantic-deterministic',
  participant_model: 'quorum',
  message_types: ['SessionStart', 'ApprovalRequest', 'Approve', 'Reject', 'Abstain', 'Commitment'],
  terminal_message_types: ['Commitment'],
  schema_uris: {},
};

/** MACP's Quorum Mode (N-17, N-18): enough participants approve one request, or too few can. */
export const quorumMode: Mode<ApprovalState, QuorumModePayloads, QuorumRules> = {
  descriptor: DESCRIPTOR,
  readers: QUORUM_READERS,
  policies: { builtIn: QUORUM_POLICIES, parse: parseQuorumRules },
  initial: NOTHING_REQUESTED,
  checkTerms: () => undefined,
  namesTakingPart,
  takesPart,
  checkSender: checkQuorumSender,
  check: checkQuorumMessage,
  apply: (approval, _terms, message) => applyToApproval(approval, message),
  checkOpen: () => undefined,
  explain: (approval, terms, committer) =>
    explainAuthority(explainApproval(approval, terms, committer), terms),
  describe: describeQuorumMessage,
  offers: QUORUM_OFFERS,
  encode: encodeApproval,
  decode: decodeApproval,
};
