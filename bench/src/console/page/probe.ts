/// <reference lib="dom" />

/** Times of events about a row, in milliseconds since 1970. */
export interface RowTime {
  readonly id: string;
  /** When the frame announcing it was read from the socket. */
  readonly came: number;
  /** When the row was laid out, visible and painted. */
  readonly drawn: number;
}

/** What the probe has recorded so far. */
export interface Probe {
  readonly rows: RowTime[];
  /** Milliseconds between frames while scrolling. */
  readonly frames: number[];
  /** Frames and tasks that blocked the main thread for more than 50 ms. */
  readonly long: number[];
  isScrolling: boolean;
  /** Whether to look for rows. */
  isWatching: boolean;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/**
 * Runs in the page before anything else and times frames, rows and messages. Must not use anything from
 * outside its body.
 */
export function installProbe(): void {
  const probe: Probe = { rows: [], frames: [], long: [], isScrolling: false, isWatching: false };
  window.probe = probe;

  const came = new Map<string, number>();
  const isProposed = /"id":"(bench-[^"]+)"/;
  class TimedSocket extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data, timeStamp }) => {
        if (!probe.isWatching || typeof data !== 'string' || !data.includes('"mcp.proposal.')) return;
        const id = isProposed.exec(data)?.[1];
        if (id !== undefined) came.set(id, performance.timeOrigin + timeStamp);
      });
    }
  }
  window.WebSocket = TimedSocket;

  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const id = target.id.slice('row-'.length);
      const at = came.get(id);
      if (!isIntersecting || at === undefined) continue;
      came.delete(id);
      probe.rows.push({ id, came: at, drawn: performance.timeOrigin + performance.now() });
      sight.unobserve(target);
    }
  });
  const look = new MutationObserver(() => {
    for (const id of came.keys()) {
      const row = document.querySelector(`#row-${id}`);
      if (row !== null) sight.observe(row);
    }
  });
  look.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['id'] });

  const types = ['longtask', 'long-animation-frame'].filter((type) =>
    PerformanceObserver.supportedEntryTypes.includes(type),
  );
  const type = types.at(-1);
  const observer = new PerformanceObserver((list) => {
    if (probe.isScrolling) probe.long.push(...list.getEntries().map(({ duration }) => duration));
  });
  if (type !== undefined) observer.observe({ type });

  let last = 0;
  let step = 30;
  const frame = (time: number): void => {
    if (probe.isScrolling) {
      if (last > 0) probe.frames.push(time - last);
      last = time;
      const list = document.querySelector('.virtual');
      if (list !== null) {
        const before = list.scrollTop;
        list.scrollTop += step;
        if (list.scrollTop === before) step = -step;
      }
    } else last = 0;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
