export { type History, openGivenJournal, openHistory } from './history.js';
export { type Readiness, watchJournal } from './journal-health.js';
export {
  createFaultLog,
  type LogFault,
  outageOf,
  refusalForJournalError,
  refusalOf,
} from './journal-refusals.js';
export { follow, type Replay, replayAlone } from './replay.js';
export { type Retention, startRetention } from './retention.js';
export { type AddSalts, readSalts, saltingJournal } from './salts.js';
