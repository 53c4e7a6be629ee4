export {
  checkJournal,
  JOURNAL,
  journalFiles,
  journalOf,
  type NamedFile,
} from './journal-fields.js';
