/** What was decided before: how rules would have decided it, and which rules would have done the same. */

export { type Backtest, type BacktestCase, backtest, type RuleComparison } from './backtest.js';
export type { Precedent, WrittenRule } from './generalise.js';
export {
  entryOfMessage,
  type FeedMessage,
  type HistoryEntry,
  type PastDecision,
  type PastProposal,
  pastProposals,
} from './past-proposals.js';
export {
  type Closest,
  closestToRule,
  formatSuggestions,
  type PassedOver,
  type Suggestion,
  type Suggestions,
  type SuggestOptions,
  suggestRules,
} from './suggest.js';
export { type AnsweringRule, summarizeWatched, type WatchSummary } from './watch-summary.js';
