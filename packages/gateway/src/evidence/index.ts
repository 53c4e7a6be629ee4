export { type JournalLog, openJournalLog } from './journal-log.js';
export { createRecordedRules, type RecordedRules } from './recorded-rules.js';
