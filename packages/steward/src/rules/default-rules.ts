import type { JsonObject } from '@proffer/core/json';
import { parseRuleData } from './parse-rules.js';
import type { RuleSet } from './rule-set.js';

const DEFAULTS: JsonObject = {
  default: 'ask',
  rules: [{ name: 'only reads', action: 'allow', match: { annotations: { readOnlyHint: true } } }],
};

/** The rules used without a rule file: a tool that says it only reads may run, everything else asks. */
export function defaultRules(): RuleSet {
  const parsed = parseRuleData(DEFAULTS, 'default rules');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}
