/** What an earlier run left behind, according to the gateway and the guard's own journal. */

export { editInArchive } from './archived-edit.js';
export { factsInArchive } from './archived-facts.js';
export { outcomeInArchive } from './archived-outcome.js';
export {
  type CallJournal,
  type CallJournalOptions,
  createCallJournal,
  NO_CALL_JOURNAL,
} from './call-journal.js';
export { type CallMemory, type KeptFact, type LaterRound, rememberFacts } from './kept-facts.js';
export { type LeftBehindOptions, leftBehind } from './left-behind.js';
export { leftBySiblings } from './left-by-siblings.js';
export { reportLostCalls } from './left-running.js';
export { type Contender, isHeldForAnother } from './name-held.js';
export { createProposalArchive, type GatewayAccess, type ProposalArchive } from './proposal-archive.js';
