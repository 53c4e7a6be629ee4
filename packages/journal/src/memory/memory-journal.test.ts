import { describeJournalContract } from '../testing/index.js';
import { createMemoryJournal } from './memory-journal.js';

describeJournalContract('memory', () => {
  const journal = createMemoryJournal();
  return Promise.resolve({ journal, dispose: () => journal.close() });
});
