import type { JsonObject } from '@proffer/core/json';
import { formatYaml } from '@proffer/reading';
import { parseRuleData } from './parse-rules.js';
import type { RuleSet } from './rule-set.js';
import { SECRET_PATHS } from './secret-paths.js';

const ONLY_READS: JsonObject = {
  name: 'only reads',
  action: 'allow',
  match: { annotations: { readOnlyHint: true } },
};

const SECRETS: JsonObject = { name: 'secrets', action: 'ask', match: { path: [...SECRET_PATHS] } };

/** The rules used without a rule file: a tool that only reads may run, going by hints that count; everything else asks. */
export function defaultRules(): RuleSet {
  return rulesOf([ONLY_READS]);
}

/** The default rules for the hooks of coding agents, which know what shell commands read: files with secrets ask. */
export function defaultHookRules(): RuleSet {
  return rulesOf([SECRETS, ONLY_READS]);
}

/** The default rules of hooks as the text of a file, for adding rules to it. */
export function defaultHookRulesText(): string {
  return formatYaml({ default: 'ask', rules: [SECRETS, ONLY_READS] });
}

function rulesOf(rules: JsonObject[]): RuleSet {
  const parsed = parseRuleData({ default: 'ask', rules }, 'default rules');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}
