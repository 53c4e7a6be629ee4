export { type OpenedJournal, openJournal } from '@proffer/journal';
export { follow } from './follow.js';
export { type Readiness, watchJournal } from './journal-health.js';
export { refusalOf } from './refusal-of.js';
export { type Replay, replayAlone, replayTogether } from './replay.js';
export { type Retention, startRetention } from './retention.js';
