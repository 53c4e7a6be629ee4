import { afterEach } from 'vitest';
import type { JournalUnderTest, OpenJournal } from './journal-contract.js';

/** Opens journals for the tests of a file and disposes of them after each. */
export function useJournal(open: OpenJournal): () => Promise<JournalUnderTest> {
  const opened: JournalUnderTest[] = [];
  afterEach(async () => {
    for (const { dispose } of opened.splice(0)) await dispose();
  });
  return async () => {
    const one = await open();
    opened.push(one);
    return one;
  };
}
