/** What an earlier run left behind, according to the gateway and the guard's own journal. */

export { outcomeInArchive } from './archived-outcome.js';
export {
  type CallJournal,
  type CallJournalOptions,
  createCallJournal,
  NO_CALL_JOURNAL,
} from './call-journal.js';
export { type CallMemory, type KeptFact, type LaterRound, rememberFacts } from './kept-facts.js';
export {
  type AdoptedCall,
  callsLeftBehind,
  callsOfSiblings,
  factsOf,
  type Successor,
} from './left-behind.js';
export { reportLostCalls } from './left-running.js';
export { type Contender, isHeldForAnother } from './name-held.js';
export { createProposalArchive, type GatewayAccess, type ProposalArchive } from './proposal-archive.js';
