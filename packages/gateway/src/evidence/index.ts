export { type JournalLog, openJournalLog } from './journal-log.js';
