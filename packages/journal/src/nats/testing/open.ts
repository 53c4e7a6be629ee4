import type { NatsJournal } from '../nats-journal.js';
import { type NatsJournalOptions, openNatsJournal } from '../open-nats-journal.js';

/** Opens a journal that must open. */
export async function opened(options: NatsJournalOptions): Promise<NatsJournal> {
  const result = await openNatsJournal(options);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}
