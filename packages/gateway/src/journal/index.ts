export { createFaultLog, type LogFault } from './fault-log.js';
export { follow } from './follow.js';
export { type History, openHistory } from './history.js';
export { type Readiness, watchJournal } from './journal-health.js';
export { outageOf, refusalForJournalError, refusalOf } from './journal-refusals.js';
export { openGivenJournal } from './open-journal.js';
export { type Replay, replayAlone } from './replay.js';
export { type Retention, startRetention } from './retention.js';
