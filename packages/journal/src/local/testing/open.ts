import type { LocalJournal } from '../local-journal.js';
import { type LocalJournalOptions, openLocalJournal } from '../open-local-journal.js';

/** Opens a journal that must open. */
export async function opened(folder: string, options: LocalJournalOptions = {}): Promise<LocalJournal> {
  const result = await openLocalJournal(folder, options);
  if (result.ok) return result.value;
  throw new Error(result.refusal.message);
}
