export {
  checkJournal,
  JOURNAL,
  journalFiles,
  journalOf,
  type NamedFile,
  type WrittenJournal,
} from './journal-fields.js';
