import type { Message } from './proposal-view.js';

/**
 * The messages in a stream of server-sent events, until it ends, breaks off or the signal ends it. The
 * signal that `fetch` got is not enough: it may no longer be heeded once the request is garbage.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  const reader = body.getReader();
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let pending = '';
  try {
    while (!signal.aborted) {
      const { done, value } = await reader.read();
      if (done) return;
      // Fields of an event end with a line break, events with an empty line.
      const events = `${pending}${decoder.decode(value, { stream: true })}`.split('\n\n');
      pending = events.pop() ?? '';
      for (const event of events) {
        const message = readEvent(event);
        if (message === 'end') return;
        if (message !== undefined) yield message;
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function readEvent(event: string): Message | 'end' | undefined {
  let data = '';
  let time: number | undefined;
  for (const line of event.split('\n')) {
    if (line === 'event: end') return 'end';
    if (line.startsWith('data: ')) data += line.slice('data: '.length);
    if (line.startsWith('time: ')) time = Number(line.slice('time: '.length));
  }
  if (data === '') return undefined;
  return { ...(JSON.parse(data) as Message), ...(time === undefined ? {} : { time }) };
}
