import type { JsonValue } from '../../../json/json.js';
import type { Result } from '../../../refusal/refusal.js';
import { readRules, section } from '../../policy/rule-sections.js';
import { flag, oneOf, wholeNumber } from '../../wire/readers.js';
import { commitmentRules } from '../authority.js';
import { DEFAULT_PROPOSAL_RULES } from './policies.js';
import type { ProposalRules } from './rules.js';

const rules = section<ProposalRules>(DEFAULT_PROPOSAL_RULES, {
  acceptance: section(DEFAULT_PROPOSAL_RULES.acceptance, {
    criterion: oneOf('all_parties', 'counterparty', 'initiator'),
    commitment_accepts: flag,
  }),
  counter_proposal: section(DEFAULT_PROPOSAL_RULES.counter_proposal, {
    max_rounds: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    retires_original: flag,
  }),
  rejection: section(DEFAULT_PROPOSAL_RULES.rejection, {
    terminal_on_any_reject: flag,
    authority: oneOf('any_participant', 'initiator_only'),
    closes_negotiation: flag,
  }),
  withdrawal: section(DEFAULT_PROPOSAL_RULES.withdrawal, { authority: oneOf('any_participant', 'author') }),
  commitment: commitmentRules,
});

/**
 * Parses the rules of a policy to register; missing rules are as in `policy.default`. Keys that start
 * with `_` or `$` are annotations without meaning. Refuses with `INVALID_POLICY_DEFINITION` any other
 * unknown key, an invalid value, and empty designated roles, naming the path.
 */
export function parseProposalRules(value: JsonValue): Result<ProposalRules> {
  return readRules(rules, value);
}
