/** A mew stream, as its owner knows it. */
export interface StreamHistory {
  readonly id: string;
  /** How many frames were sent, numbered from 1. */
  readonly sent: number;
  /** Whether every frame was accepted: a refusal does not say which one it was. */
  readonly isWhole: boolean;
}

/** What one connection received of a stream: that it is open, the number of a frame, or why it is closed. */
export type StreamEvent =
  | { readonly id: string; readonly type: 'open' }
  | { readonly id: string; readonly type: 'frame'; readonly number: number }
  | { readonly id: string; readonly type: 'close'; readonly reason: string };

/** One connection of a listener. */
export interface StreamListener {
  readonly name: string;
  readonly heard: readonly StreamEvent[];
  /** Whether it was still connected at the end. */
  readonly stayed: boolean;
}

export interface StreamsHistory {
  readonly streams: readonly StreamHistory[];
  readonly listeners: readonly StreamListener[];
}

/** The reason owners give for closing a stream. */
export const DONE = 'done';

/**
 * Compares what was received of streams with what was sent. A stream may be interrupted when gateways lose
 * each other: its listeners are told that it is closed and, if it continues, that it is open again. In
 * between nothing is missing.
 */
export function checkStreams({ streams, listeners }: StreamsHistory): readonly string[] {
  const byId = new Map(streams.map((stream) => [stream.id, stream]));
  return listeners.flatMap(({ name, heard, stayed }) => {
    const byStream = new Map<string, StreamEvent[]>(heard.map(({ id }) => [id, []]));
    for (const event of heard) byStream.get(event.id)?.push(event);
    return [...byStream].flatMap(([id, events]) =>
      checkListener(events, byId.get(id), stayed).map((what) => `${name} and stream ${id}: ${what}`),
    );
  });
}

function checkListener(
  events: readonly StreamEvent[],
  stream: StreamHistory | undefined,
  stayed: boolean,
): readonly string[] {
  const wrong: string[] = [];
  let isOpen = false;
  let isDone = false;
  let last = 0;
  let isFirst = true;
  for (const event of events) {
    if (event.type === 'open') {
      if (isOpen) wrong.push('it was opened twice');
      if (isDone) wrong.push('it was opened again after its owner closed it');
      isOpen = true;
      isFirst = true;
    } else if (!isOpen) {
      wrong.push(`${event.type === 'frame' ? `frame ${event.number}` : 'a close'} came while it was closed`);
    } else if (event.type === 'frame') {
      const { number } = event;
      if (number <= last) wrong.push(`frame ${number} came after frame ${last}`);
      else if (!isFirst && number !== last + 1 && stream?.isWhole !== false)
        wrong.push(`frame ${number} came after frame ${last}, and it was open all the time`);
      last = number;
      isFirst = false;
    } else {
      isOpen = false;
      isDone = event.reason === DONE;
      if (isDone && !isFirst && stream?.isWhole === true && last !== stream.sent)
        wrong.push(`it was closed after frame ${last} of ${stream.sent} as if that was all`);
    }
  }
  if (stayed && isOpen) wrong.push('it was never closed');
  return wrong;
}
