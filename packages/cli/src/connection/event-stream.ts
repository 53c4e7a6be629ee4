import type { LoggedMessage } from '../proposals/proposal-view.js';

/** The messages in a stream of server-sent events, until it ends, or the signal ends it. Throws what breaks it. */
export type ReadEvents = (
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
) => AsyncGenerator<LoggedMessage>;

/**
 * Loads what reads a stream of events: most commands follow nothing, and it brings all of the client along.
 * To be called before the stream is asked for, since a body that nobody reads yet is cancelled as soon as its
 * response is collected as garbage.
 */
export async function loadEventReader(): Promise<ReadEvents> {
  const { readServerEvents } = await import('@proffer/client');
  return async function* readEvents(body, signal) {
    for await (const { type, data, time } of readServerEvents(body, signal)) {
      if (type === 'end') return;
      yield { ...(JSON.parse(data) as LoggedMessage), ...(time === undefined ? {} : { time }) };
    }
  };
}
