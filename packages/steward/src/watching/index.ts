/** What was only watched (O-50): how often somebody would have been asked, and which rules would have answered. */

export type { AnsweringRule } from './answering-rules.js';
export { summarizeWatched, type WatchSummary } from './watch-summary.js';
