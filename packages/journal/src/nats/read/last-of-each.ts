import { randomUUID } from 'node:crypto';
import { DeliverPolicy, type JetStreamClient } from '@nats-io/jetstream';
import type { ReadMessage } from '../messages/message.js';

export interface LastOfEachOptions {
  readonly headersOnly: boolean;
  /**
   * The server that answers may lag: it is given a moment to receive everything up to this sequence. Default: what it
   * has counts.
   */
  readonly upTo?: number;
}

/** How long a server may lag, in milliseconds. A message that somebody else removes meanwhile never arrives. */
const LAG = 1_000;

/**
 * The last message of each subject of a stream, with or without its data; later messages may be
 * missing.
 */
export async function* lastOfEach(
  client: JetStreamClient,
  stream: string,
  { headersOnly, upTo = 0 }: LastOfEachOptions,
): AsyncGenerator<ReadMessage> {
  const consumer = await client.consumers.get(stream, {
    name_prefix: `proffer-ends-${randomUUID()}`,
    deliver_policy: DeliverPolicy.LastPerSubject,
    headers_only: headersOnly,
  });
  const { num_pending: count } = await consumer.info();
  if (count === 0 && upTo === 0) return;
  const messages = await consumer.consume({ max_messages: 2_000 });
  const stopSoon = (): NodeJS.Timeout => setTimeout(() => messages.stop(), LAG);
  let stopping = count === 0 ? stopSoon() : undefined;
  try {
    for await (const message of messages) {
      clearTimeout(stopping);
      const { subject, seq, data, headers } = message;
      yield { subject, seq, data, headers };
      if (message.info.pending > 0) continue;
      if (seq >= upTo) return;
      stopping = stopSoon();
    }
  } finally {
    clearTimeout(stopping);
    await messages.close();
    await consumer.delete();
  }
}
