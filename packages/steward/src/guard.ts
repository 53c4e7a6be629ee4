/** What guards and hooks need to decide calls by rules, beside the rules themselves. */
export { WITHOUT_RULES } from './rules/decide-by-rules.js';
export {
  defaultHookRules,
  defaultHookRulesText,
  isNarrowGlob,
  STARTER_RULES,
} from './rules/default-rules.js';
export {
  type CommandFacts,
  hostInUrl,
  namesPlace,
  type PathNames,
  RUN_LATER,
  runLaterAt,
} from './rules/effects/index.js';
export { trustsHints } from './rules/hints.js';
export { createRuleUsage, type RuleUsage } from './rules/rule-usage.js';
export { guardAlias, operationFacts } from './steward/facts.js';
