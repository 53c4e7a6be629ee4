/**
 * Rules that decide, and a participant that decides by them. Rules for past decisions are in `/history`, and what guards
 * and hooks need beside this is in `/guard`.
 */
export type { Problem } from '@proffer/reading';
export { type AddedRules, addRules, type RuleInWords, rulesInWords } from './rulebook/index.js';
export type { CallFacts, ToolAnnotations } from './rules/call-facts.js';
export {
  decideByRules,
  describeRule,
  type RuleDecision,
  type RuleReference,
} from './rules/decide-by-rules.js';
export { defaultRules } from './rules/default-rules.js';
export {
  type ComparedCondition,
  explainByRules,
  type RuleExplanation,
  type TriedRule,
} from './rules/explain-by-rules.js';
export { parseRuleData, parseRules } from './rules/parse-rules.js';
export type { Rule, RuleAction, RuleSet } from './rules/rule-set.js';
export type { StewardEvent, StewardOutcome } from './steward/carry-out.js';
export { describeDecision } from './steward/decision-text.js';
export {
  describeRulesNews,
  followRules,
  type LiveRules,
  publishRules,
  type RulesNews,
  rulesDecider,
} from './steward/live-rules.js';
export {
  type RuleFileWatchOptions,
  readRuleFile,
  type WatchedFile,
  watchRuleFile,
} from './steward/rule-file.js';
export { type Steward, type StewardOptions, startSteward } from './steward/start-steward.js';
