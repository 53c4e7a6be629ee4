import type { JsonValue } from '../../../json/json.js';
import type { Result } from '../../../refusal/refusal.js';
import type { RulesContext } from '../../policy/policy-rules.js';
import { readRules, section } from '../../policy/rule-sections.js';
import { flag, oneOf, wholeNumber } from '../../wire/readers.js';
import { commitmentRules } from '../authority.js';
import { DEFAULT_PROPOSAL_RULES } from './policies.js';
import type { ProposalRules } from './rules.js';

/**
 * Parses the rules of a policy to register. Keys that start with `_` or `$` are annotations without
 * meaning. Refuses with `INVALID_POLICY_DEFINITION` any other unknown key, an invalid value, and empty
 * designated roles, naming the path.
 */
export function parseProposalRules(
  value: JsonValue,
  { defaults = DEFAULT_PROPOSAL_RULES }: RulesContext<ProposalRules> = {},
): Result<ProposalRules> {
  const rules = section<ProposalRules>(defaults, {
    acceptance: section(defaults.acceptance, {
      criterion: oneOf('all_parties', 'counterparty', 'initiator'),
      commitment_accepts: flag,
    }),
    counter_proposal: section(defaults.counter_proposal, {
      max_rounds: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      retires_original: flag,
    }),
    rejection: section(defaults.rejection, {
      terminal_on_any_reject: flag,
      authority: oneOf('any_participant', 'initiator_only'),
      closes_negotiation: flag,
    }),
    withdrawal: section(defaults.withdrawal, { authority: oneOf('any_participant', 'author') }),
    commitment: commitmentRules,
  });
  return readRules(rules, value);
}
