import { type NatsJournal, type NatsJournalOptions, openNatsJournal } from '@proffer/journal/nats';
import { TEST_ACCESS } from '@proffer/journal/testing/nats-servers';
import { startTestGateway, type TestGateway } from './test-gateway.js';

/** A gateway with a journal on NATS. */
export async function startOnNats(
  nats: NatsJournalOptions,
  { yaml = 'dev: true', clock }: { readonly yaml?: string; readonly clock?: () => number } = {},
): Promise<TestGateway> {
  return await startTestGateway(yaml, await openOnNats(nats), clock);
}

/** Opens a valid journal on NATS. */
export async function openOnNats(nats: NatsJournalOptions): Promise<NatsJournal> {
  const opened = await openNatsJournal({ ...TEST_ACCESS, ...nats });
  if (!opened.ok) throw new Error(opened.refusal.message);
  return opened.value;
}
