import { type Result, success } from '@proffer/core';
import { type CutOffWrite, createMemoryJournal, type Journal, openLocalJournal } from '@proffer/journal';
import type { JournalConfig } from '../config/index.js';

/** A journal, and what its last write left if that was cut off. */
export interface OpenedJournal {
  readonly journal: Journal;
  readonly dropped?: CutOffWrite;
}

/** Opens the journal that the configuration names. Refuses one that another process has, that is damaged, or that is not safe. */
export async function openJournal(config: JournalConfig): Promise<Result<OpenedJournal>> {
  if (config.backend === 'memory') return success({ journal: createMemoryJournal() });
  if (config.backend === 'local') {
    const opened = await openLocalJournal(config.path);
    return opened.ok ? success({ journal: opened.value, ...opened.value.recovery }) : opened;
  }
  // The client is loaded only by those who need it.
  const { openNatsJournal } = await import('@proffer/journal/nats');
  const opened = await openNatsJournal(config);
  return opened.ok ? success({ journal: opened.value }) : opened;
}
