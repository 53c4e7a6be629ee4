import { defined } from '@proffer/core/json';
/** One server-sent event. */
export interface ServerEvent {
  /** `message` if the stream names none. */
  readonly type: string;
  readonly data: string;
  /** When the gateway accepted its message, in milliseconds since 1970; if it says so. */
  readonly time?: number;
}

/** How long a stream may be silent, in milliseconds: more than two missed keep-alive comments. */
const SILENCE = 40_000;

/**
 * The events of a stream, until it or the signal ends. Throws if the stream breaks or stalls. Only as
 * much is read as is consumed. The signal passed to `fetch` is not enough: it may be ignored once the
 * request is garbage collected.
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent, undefined> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let pending = '';
  try {
    while (!signal.aborted) {
      const piece = await readWithin(reader, SILENCE);
      if (piece === undefined) return;
      // An event's fields end with a line break, events with an empty line.
      const events = `${pending}${decoder.decode(piece, { stream: true })}`.split('\n\n');
      pending = events.pop() ?? '';
      for (const event of events) {
        const read = readEvent(event);
        if (read.data !== '') yield read;
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silence: number,
): Promise<Uint8Array | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No data for ${silence} ms.`)), silence);
  });
  try {
    const { value } = await Promise.race([reader.read(), silent]);
    return value;
  } finally {
    clearTimeout(timer);
  }
}

function readEvent(text: string): ServerEvent {
  let type = 'message';
  let time: number | undefined;
  const data: string[] = [];
  for (const line of text.split('\n')) {
    const [, field = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') type = value;
    else if (field === 'data') data.push(value);
    else if (field === 'time') time = Number(value);
  }
  return { type, data: data.join('\n'), ...defined({ time }) };
}
