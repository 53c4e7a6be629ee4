export { type AcceptLossOptions, acceptLoss } from './accept-loss.js';
export { copyLocalJournal } from './copy-folder.js';
export {
  checkWritable,
  type Disk,
  type DiskFile,
  type Holder,
  type Lock,
  lockFile,
  makeFolder,
  noFileAccess,
  realDisk,
} from './files/index.js';
export type { LocalJournal } from './local-journal.js';
export { type LocalJournalOptions, openLocalJournal } from './open-local-journal.js';
export type { Recovery } from './recovery.js';
export { type RemovedStream, readRemoved } from './removed-list.js';
export { describeCutOff, JOURNAL_FORMAT } from './segments/index.js';
export { verifyLocalJournal } from './verify.js';
