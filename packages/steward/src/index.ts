export type { Problem } from '@proffer/reading';
export { type Backtest, type BacktestCase, backtest, type RuleComparison } from './history/backtest.js';
export { formatSuggestions } from './history/format-suggestions.js';
export type { Precedent, WrittenRule } from './history/generalise.js';
export { entryOfMessage, type FeedMessage, type HistoryEntry } from './history/history-entry.js';
export type { PastDecision, PastProposal } from './history/past-proposal.js';
export { pastProposals } from './history/past-proposals.js';
export {
  type Closest,
  closestToRule,
  type PassedOver,
  type Suggestion,
  type Suggestions,
  type SuggestOptions,
  suggestRules,
} from './history/suggest.js';
export {
  type AddedRules,
  addRules,
  type OwnedRules,
  type RuleInWords,
  type RuleOwner,
  rulesAnnouncement,
  rulesInWords,
} from './rulebook/index.js';
export type { CallFacts, ToolAnnotations } from './rules/call-facts.js';
export {
  decideByRules,
  describeRule,
  type RuleDecision,
  type RuleReference,
  WITHOUT_RULES,
} from './rules/decide-by-rules.js';
export { defaultHookRules, defaultHookRulesText, defaultRules } from './rules/default-rules.js';
export { type CommandFacts, hostInUrl, type PathNames } from './rules/effects/index.js';
export {
  type ComparedCondition,
  explainByRules,
  type RuleExplanation,
  type TriedRule,
} from './rules/explain-by-rules.js';
export { trustsHints } from './rules/hints.js';
export { isNarrowGlob } from './rules/narrow-glob.js';
export { parseRuleData, parseRules } from './rules/parse-rules.js';
export type { RuleRate } from './rules/rate.js';
export { RULE_ACTIONS, type Rule, type RuleAction, type RuleSet } from './rules/rule-set.js';
export { createRuleUsage, type RuleUsage } from './rules/rule-usage.js';
export { STARTER_RULES } from './rules/starter-rules.js';
export { describeDecision } from './steward/decision-text.js';
export { factsOf, operationFacts, type ProspectiveServer, serverOf } from './steward/facts.js';
export { guardAlias } from './steward/guarded-tool.js';
export {
  describeRulesNews,
  followRules,
  type LiveRules,
  type RulesNews,
  rulesDecider,
} from './steward/live-rules.js';
export { publishRules } from './steward/publish-rules.js';
export {
  type RuleFileWatchOptions,
  readRuleFile,
  type WatchedFile,
  watchRuleFile,
} from './steward/rule-file.js';
export { type Steward, type StewardOptions, startSteward } from './steward/start-steward.js';
export type { StewardEvent, StewardOutcome } from './steward/steward-event.js';
export { type AnsweringRule, summarizeWatched, type WatchSummary } from './watching/index.js';
