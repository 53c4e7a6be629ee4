export type { NatsAddress, NatsLogin } from './connect.js';
export type { NatsJournal } from './nats-journal.js';
export { type NatsJournalOptions, openNatsJournal } from './open-nats-journal.js';
export { NATS_FORMAT, type SettingProblem, settingProblems } from './stream-settings.js';
