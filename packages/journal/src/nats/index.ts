export type { NatsPlace } from './backend.js';
export type { NatsAddress, NatsLogin } from './connect.js';
export { copyFromNats } from './copy/copy-from-nats.js';
export { copyToNats } from './copy/copy-to-nats.js';
export { inspectNats, type NatsReport } from './inspect.js';
export type { NatsJournal } from './nats-journal.js';
export { type NatsJournalOptions, openNatsJournal } from './open-nats-journal.js';
export { NATS_FORMAT, type SettingProblem, settingProblems } from './stream-settings.js';
