import { formatPath, type JsonValue } from '../../../json/json.js';
import type { Result } from '../../../refusal/refusal.js';
import type { RulesContext } from '../../policy/policy-rules.js';
import { readRules, section } from '../../policy/rule-sections.js';
import { type FieldReader, flag, oneOf, wholeNumber } from '../../wire/readers.js';
import { commitmentRules } from '../authority.js';
import { DEFAULT_QUORUM_RULES } from './policies.js';
import type { QuorumRules } from './rules.js';

type Threshold = NonNullable<QuorumRules['threshold']>;

/** Without a number of its own, so that a policy cannot forget it. */
const sectionOfThreshold = section<Threshold>(
  { type: 'n_of_m', value: 0 },
  { type: oneOf('n_of_m', 'percentage'), value: wholeNumber(1, Number.MAX_SAFE_INTEGER) },
);

const threshold: FieldReader<Threshold> = (found, path) => {
  const reading = sectionOfThreshold(found, path);
  if (!reading.ok) return reading;
  const { type, value } = reading.value;
  const most = type === 'percentage' ? 100 : Number.MAX_SAFE_INTEGER;
  if (value >= 1 && value <= most) return reading;
  const field = formatPath([...path, 'value']);
  const expected = type === 'percentage' ? 'a whole number from 1 to 100' : 'at least 1';
  return { ok: false, problem: { field, found: value === 0 ? 'nothing' : String(value), expected } };
};

/**
 * Parses the rules of a policy to register. Keys that start with `_` or `$` are annotations without
 * meaning. Refuses with `INVALID_POLICY_DEFINITION` any other unknown key, an invalid value, and empty
 * designated roles, naming the path.
 */
export function parseQuorumRules(
  value: JsonValue,
  { defaults = DEFAULT_QUORUM_RULES }: RulesContext<QuorumRules> = {},
): Result<QuorumRules> {
  const rules = section<QuorumRules>(defaults, {
    threshold,
    abstention: section(defaults.abstention, {
      counts_toward_quorum: flag,
      interpretation: oneOf('neutral', 'implicit_reject', 'ignored'),
    }),
    commitment: commitmentRules,
  });
  return readRules(rules, value);
}
