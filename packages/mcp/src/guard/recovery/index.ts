/** What an earlier run left behind, according to the gateway and the guard's own journal. */

export {
  type CallJournal,
  type CallJournalOptions,
  type CallMemory,
  createCallJournal,
  type KeptFact,
  type LaterRound,
  NO_CALL_JOURNAL,
  rememberFacts,
} from './call-journal.js';
export {
  type AdoptedCall,
  type Contender,
  callsLeftBehind,
  callsOfSiblings,
  factsOf,
  isHeldForAnother,
  reportLostCalls,
  type Successor,
} from './left-behind.js';
export {
  createProposalArchive,
  type GatewayAccess,
  outcomeInArchive,
  type ProposalArchive,
} from './proposal-archive.js';
