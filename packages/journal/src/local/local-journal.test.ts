import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeJournalContract, type JournalUnderTest } from '../testing/index.js';
import type { LocalJournalOptions } from './open-local-journal.js';
import { opened } from './testing/open.js';

async function start(options: LocalJournalOptions): Promise<JournalUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-journal-'));
  let journal = await opened(folder, options);
  return {
    journal,
    async reopen() {
      await journal.close();
      journal = await opened(folder, options);
      return journal;
    },
    async dispose() {
      await journal.close();
      await rm(folder, { recursive: true });
    },
  };
}

describeJournalContract('local', () => start({}));

// So small that every few records start another segment and every feed falls off its tail.
describeJournalContract('local, in small pieces', () =>
  start({ segmentBytes: 2000, batchBytes: 700, tail: { records: 3, bytes: 2000 } }),
);

describeJournalContract('local, synced later', () => start({ durability: 'process', segmentBytes: 2000 }));
