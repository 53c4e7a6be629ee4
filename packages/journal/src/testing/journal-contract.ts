import { describe } from 'vitest';
import type { Journal } from '../journal.js';
import { appendContract } from './append-contract.js';
import { feedContract } from './feed-contract.js';
import { retentionContract } from './retention-contract.js';
import { treeContract } from './tree-contract.js';

/** A journal under test. */
export interface JournalUnderTest {
  readonly journal: Journal;
  /** Closes the journal and reopens it, as a restart does; absent if nothing outlives the process. */
  readonly reopen?: () => Promise<Journal>;
  /** Closes the journal and releases its resources. */
  readonly dispose: () => Promise<void>;
}

/** Creates an empty journal. */
export type OpenJournal = () => Promise<JournalUnderTest>;

/** Defines the tests that every backend must pass. */
export function describeJournalContract(name: string, open: OpenJournal): void {
  describe(`the journal contract: ${name}`, () => {
    appendContract(open);
    feedContract(open);
    retentionContract(open);
    treeContract(open);
  });
}
