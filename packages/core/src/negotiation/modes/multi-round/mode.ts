import { DEFAULT_POLICY } from '../../policy/built-in.js';
import type { BuiltInPolicy } from '../../policy/policy-rules.js';
import { readRules, section } from '../../policy/rule-sections.js';
import {
  type CommitmentRules,
  checkSender,
  commitmentRules,
  explainAuthority,
  namesTakingPart,
  takesPart,
} from '../authority.js';
import type { Mode } from '../mode.js';
import { MULTI_ROUND_MODE, MULTI_ROUND_MODE_VERSION } from './name.js';
import { MULTI_ROUND_READERS, type MultiRoundPayloads } from './payloads.js';
import {
  applyMultiRoundMessage,
  checkMultiRoundMessage,
  decodeRounds,
  encodeRounds,
  explainRounds,
  NO_VALUES,
  type Rounds,
} from './rounds.js';

/** The rules of a policy for this mode. */
export type MultiRoundRules = { readonly commitment: CommitmentRules };

const DEFAULT_RULES: MultiRoundRules = { commitment: { authority: 'initiator_only', designated_roles: [] } };

const rules = section<MultiRoundRules>(DEFAULT_RULES, { commitment: commitmentRules });

const DEFAULT: BuiltInPolicy<MultiRoundRules> = {
  id: DEFAULT_POLICY,
  description: 'The initiator commits once all participants have contributed the same value.',
  rules: DEFAULT_RULES,
};

/** The extension mode `ext.multi_round.v1` (N-25): participants change their values until all are the same. */
export const multiRoundMode: Mode<Rounds, MultiRoundPayloads, MultiRoundRules> = {
  descriptor: {
    mode: MULTI_ROUND_MODE,
    mode_version: MULTI_ROUND_MODE_VERSION,
    title: 'Multi-Round Mode',
    description: 'Participants contribute values, in any number of rounds, until all are the same.',
    determinism_class: 'semantic-deterministic',
    participant_model: 'peer',
    message_types: ['SessionStart', 'Contribute', 'Commitment'],
    terminal_message_types: ['Commitment'],
    schema_uris: {},
  },
  readers: MULTI_ROUND_READERS,
  policies: { builtIn: new Map([[DEFAULT.id, DEFAULT]]), parse: (value) => readRules(rules, value) },
  initial: NO_VALUES,
  checkTerms: () => undefined,
  namesTakingPart,
  takesPart,
  checkSender,
  check: checkMultiRoundMessage,
  apply: (rounds, _terms, message) => applyMultiRoundMessage(rounds, message),
  checkOpen: () => undefined,
  explain: (rounds, terms, committer) => explainAuthority(explainRounds(rounds, terms, committer), terms),
  describe: ({ payload }) => ({ verb: 'contributes', about: payload.value, said: '', tone: 'plain' }),
  encode: encodeRounds,
  decode: decodeRounds,
};
