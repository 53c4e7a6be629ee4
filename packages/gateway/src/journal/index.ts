export { createFaultLog, type LogFault } from './fault-log.js';
export { follow } from './follow.js';
export { type History, openHistory } from './history.js';
export { type Readiness, watchJournal } from './journal-health.js';
export { openGivenJournal } from './open-journal.js';
export { outageOf, refusalOf, undecided } from './refusal-of.js';
export { type Replay, replayAlone } from './replay.js';
export { type Retention, startRetention } from './retention.js';
