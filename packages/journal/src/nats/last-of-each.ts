import { randomUUID } from 'node:crypto';
import { DeliverPolicy, type JetStreamClient } from '@nats-io/jetstream';
import type { ReadMessage } from './message.js';

/**
 * The last message of each subject of a stream, with or without its data; later messages may be
 * missing.
 */
export async function* lastOfEach(
  client: JetStreamClient,
  stream: string,
  { headersOnly }: { readonly headersOnly: boolean },
): AsyncGenerator<ReadMessage> {
  const consumer = await client.consumers.get(stream, {
    name_prefix: `proffer-ends-${randomUUID()}`,
    deliver_policy: DeliverPolicy.LastPerSubject,
    headers_only: headersOnly,
  });
  const { num_pending: count } = await consumer.info();
  if (count === 0) return;
  const messages = await consumer.consume({ max_messages: 2_000 });
  try {
    for await (const message of messages) {
      const { subject, seq, data, headers } = message;
      yield { subject, seq, data, headers };
      if (message.info.pending === 0) return;
    }
  } finally {
    await messages.close();
    await consumer.delete();
  }
}
