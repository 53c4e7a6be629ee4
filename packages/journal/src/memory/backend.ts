import { success } from '@proffer/core';
import type { JournalBackend } from '../backend.js';
import { createMemoryJournal } from './memory-journal.js';

/** Only in this process: nothing survives a restart. */
export interface MemoryPlace {
  readonly backend: 'memory';
}

/** A journal that lasts as long as the process. */
export const memoryBackend: JournalBackend<MemoryPlace> = {
  reach: 'process',
  nameOf: () => 'memory',
  open: () => Promise.resolve(success({ journal: createMemoryJournal() })),
};
