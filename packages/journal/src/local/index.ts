export { describeCutOff } from './damage.js';
export type { Disk, DiskFile } from './disk.js';
export { JOURNAL_FORMAT } from './layout.js';
export type { LocalJournal } from './local-journal.js';
export { makeFolder } from './make-folder.js';
export { type LocalJournalOptions, openLocalJournal } from './open-local-journal.js';
export type { Recovery } from './recovery.js';
export { verifyLocalJournal } from './verify.js';
