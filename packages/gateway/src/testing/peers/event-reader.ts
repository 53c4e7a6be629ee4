import type { JsonObject } from '@proffer/core/json';

/** One server-sent event. */
export interface ServerEvent {
  readonly id: number | undefined;
  /** `end` when the gateway says why it ends the stream; empty otherwise. */
  readonly name: string;
  readonly data: string;
  readonly json: JsonObject;
}

/** Follows a stream of server-sent events, one event at a time. Closed by `await using`. */
export interface EventReader extends AsyncDisposable {
  readonly status: number;
  /** The next event; `undefined` when the stream has ended. */
  next(): Promise<ServerEvent | undefined>;
  /** The next few. */
  take(count: number): Promise<readonly ServerEvent[]>;
  close(): void;
}

/** Timeout for the start of a gateway's answer, in milliseconds. */
const ANSWER = 20_000;

/** @param body - the JSON that asks for the stream, if it is asked for with POST */
export async function readEvents(
  url: string,
  token: string,
  lastEventId?: number,
  body?: string,
): Promise<EventReader> {
  const controller = new AbortController();
  const headers = new Headers({ authorization: `Bearer ${token}`, accept: 'text/event-stream' });
  if (lastEventId !== undefined) headers.set('last-event-id', String(lastEventId));
  if (body !== undefined) headers.set('content-type', 'application/json');
  const asking = body === undefined ? {} : { method: 'POST', body };
  const late = setTimeout(() => controller.abort(), ANSWER);
  const response = await fetch(url, { headers, signal: controller.signal, ...asking }).finally(() =>
    clearTimeout(late),
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffered = '';

  async function nextBlock(): Promise<string | undefined> {
    for (;;) {
      const end = buffered.indexOf('\n\n');
      if (end !== -1) {
        const block = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        return block;
      }
      const piece = await reader?.read().catch(() => undefined);
      if (piece === undefined || piece.done) return undefined;
      buffered += piece.value;
    }
  }

  async function next(): Promise<ServerEvent | undefined> {
    for (;;) {
      const block = await nextBlock();
      if (block === undefined) return undefined;
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data === undefined) continue;
      const id = field('id');
      const name = field('event') ?? '';
      const json = (name === '' ? JSON.parse(data) : {}) as JsonObject;
      return { id: id === undefined ? undefined : Number(id), name, data, json };
    }
  }

  return {
    status: response.status,
    next,
    async take(count) {
      const events: ServerEvent[] = [];
      while (events.length < count) {
        const event = await next();
        if (event === undefined)
          throw new Error(`The stream ended after ${events.length} of ${count} events.`);
        events.push(event);
      }
      return events;
    },
    close: () => controller.abort(),
    [Symbol.asyncDispose]: () => {
      controller.abort();
      return Promise.resolve();
    },
  };
}
