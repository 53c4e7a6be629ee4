/** What was decided before: how rules would have decided it, and which rules would have done the same. */
export { type AnsweringRule, summarizeWatched, type WatchSummary } from '../watching/index.js';
export { type Backtest, type BacktestCase, backtest, type RuleComparison } from './backtest.js';
export { formatSuggestions } from './format-suggestions.js';
export type { Precedent, WrittenRule } from './generalise.js';
export { entryOfMessage, type FeedMessage, type HistoryEntry } from './history-entry.js';
export type { PastDecision, PastProposal } from './past-proposal.js';
export { pastProposals } from './past-proposals.js';
export {
  type Closest,
  closestToRule,
  type PassedOver,
  type Suggestion,
  type Suggestions,
  type SuggestOptions,
  suggestRules,
} from './suggest.js';
