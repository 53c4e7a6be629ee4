import { TEST_ACCESS } from '../../testing/nats-servers.js';
import type { NatsJournal } from '../nats-journal.js';
import { type NatsJournalOptions, openNatsJournal } from '../open-nats-journal.js';

/** Opens a journal that must open, on servers for tests. */
export async function opened(options: NatsJournalOptions): Promise<NatsJournal> {
  const result = await openNatsJournal({ ...TEST_ACCESS, ...options });
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}
