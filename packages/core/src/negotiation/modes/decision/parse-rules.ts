import { formatPath, isJsonObject, type JsonValue } from '../../../json/json.js';
import type { Result } from '../../../refusal/refusal.js';
import type { RulesContext } from '../../policy/policy-rules.js';
import { readRules, section } from '../../policy/rule-sections.js';
import {
  type FieldReader,
  flag,
  fraction,
  mapOf,
  numberAbove,
  oneOf,
  read,
  wholeNumber,
} from '../../wire/readers.js';
import { commitmentRulesWith } from '../authority.js';
import { DEFAULT_DECISION_RULES } from './policies.js';
import type { DecisionRules } from './rules.js';
import { TWO_THIRDS } from './tally.js';

type Voting = DecisionRules['voting'];

/** From this version of the rules on, an algorithm counts even if nobody has voted (RFC-MACP-0012, section 4.1). */
const NEEDS_VOTES = 3;

const weights = mapOf(numberAbove(0)) as FieldReader<Voting['weights']>;

function votingRules(defaults: Voting, schemaVersion: number): FieldReader<Voting> {
  const reader = section<Voting>(
    { ...defaults, needs_votes: schemaVersion >= NEEDS_VOTES || defaults.needs_votes },
    {
      algorithm: oneOf('none', 'majority', 'supermajority', 'unanimous', 'weighted', 'plurality'),
      threshold: numberAbove(0, 1),
      quorum: section(defaults.quorum, {
        type: oneOf('count', 'percentage'),
        value: numberAbove(-1),
      }),
      weights,
      needs_votes: flag,
    },
  );
  return (found, path) => {
    const reading = reader(found, path);
    if (!reading.ok) return reading;
    const { algorithm } = reading.value;
    const isNamed = isJsonObject(found) && found['threshold'] !== undefined;
    const threshold = algorithm === 'supermajority' && !isNamed ? TWO_THIRDS : reading.value.threshold;
    const wrong = (field: string, what: string, expected: string) => ({
      ok: false as const,
      problem: { field: formatPath([...path, field]), found: what, expected },
    });
    if (algorithm === 'majority' && threshold < 0.5)
      return wrong('threshold', String(threshold), '0.5 or more for a majority');
    if (algorithm === 'supermajority' && threshold <= 0.5)
      return wrong('threshold', String(threshold), 'more than 0.5 for a supermajority');
    if (algorithm === 'weighted' && Object.keys(reading.value.weights).length === 0)
      return wrong('weights', 'no weights', 'the weight of each voter who counts');
    return read({ ...reading.value, threshold });
  };
}

function decisionRules(defaults: DecisionRules, schemaVersion: number): FieldReader<DecisionRules> {
  const { voting, objection_handling, evaluation, commitment } = defaults;
  const { require_vote_quorum, allow_decline_over_approval } = commitment;
  return section<DecisionRules>(
    { ...defaults, voting: { ...voting, needs_votes: schemaVersion >= NEEDS_VOTES || voting.needs_votes } },
    {
      voting: votingRules(voting, schemaVersion),
      objection_handling: section(objection_handling, {
        critical_severity_vetoes: flag,
        veto_threshold: wholeNumber(1, Number.MAX_SAFE_INTEGER),
        critical_objection_action: oneOf('deny', 'finalize_decline', 'hold'),
      }),
      evaluation: section(evaluation, { minimum_confidence: fraction, required_before_voting: flag }),
      commitment: commitmentRulesWith(
        { require_vote_quorum, allow_decline_over_approval },
        { require_vote_quorum: flag, allow_decline_over_approval: flag },
      ),
    },
  );
}

/**
 * Parses the rules of a policy to register. Keys that start with `_` or `$` are annotations without
 * meaning. Refuses with `INVALID_POLICY_DEFINITION` any other unknown key, an invalid value, a threshold
 * that is too low for its algorithm, weights that are missing, and empty designated roles, naming the path.
 */
export function parseDecisionRules(
  value: JsonValue,
  { defaults = DEFAULT_DECISION_RULES, schemaVersion = 1 }: RulesContext<DecisionRules> = {},
): Result<DecisionRules> {
  return readRules(decisionRules(defaults, schemaVersion), value);
}
