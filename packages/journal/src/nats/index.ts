export type { NatsAddress, NatsLogin } from './access/connect.js';
export { inspectNats, type NatsReport } from './access/inspect.js';
export { NATS_FORMAT, type SettingProblem, settingProblems } from './access/stream-settings.js';
export type { NatsPlace } from './backend.js';
export { copyFromNats } from './copy/copy-from-nats.js';
export { copyToNats } from './copy/copy-to-nats.js';
export type { NatsJournal } from './nats-journal.js';
export { type NatsJournalOptions, openNatsJournal } from './open-nats-journal.js';
