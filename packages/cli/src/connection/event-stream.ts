import type { Message } from './proposal-view.js';

/** The messages in a stream of server-sent events, until it ends, or the signal ends it. Throws what breaks it. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  // Loaded when needed: most commands follow nothing, and it brings all of the client along.
  const { readServerEvents } = await import('@proffer/client');
  for await (const { type, data, time } of readServerEvents(body, signal)) {
    if (type === 'end') return;
    yield { ...(JSON.parse(data) as Message), ...(time === undefined ? {} : { time }) };
  }
}
