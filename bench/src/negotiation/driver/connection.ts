import { once } from 'node:events';
import { connect } from 'node:net';
import { createHeaderWriter, type Header } from './header-block.js';
import {
  FLAG,
  FRAME,
  FRAME_HEADER,
  http2Frame,
  INITIAL_WINDOW_SIZE,
  PREFACE,
  settingIn,
  settings,
  windowUpdate,
} from './http2-frame.js';

/** Receives the events of one call. */
export interface Listener {
  /** A chunk of response data, valid only during the call. */
  data(bytes: Buffer): void;
  /** The call has ended. */
  end(): void;
}

/**
 * A minimal HTTP/2 client for gRPC load: it counts frames and never decodes headers, so that the driver does
 * not dominate the measurement. Everything sent in one turn of the event loop is one write.
 */
export interface Connection {
  /** Starts a call with its first message, in gRPC framing; `last` half-closes it. Returns the stream id. */
  open(path: string, message: Buffer, listener: Listener, last: boolean): number;
  /** Sends another message on a call. */
  write(stream: number, message: Buffer): void;
  /** Rejects when the connection or a call is reset, other than by {@link Connection.close}. */
  readonly lost: Promise<never>;
  close(): void;
}

const MAX_WINDOW = 2 ** 31 - 1;
const DEFAULT_WINDOW = 65_535;

/** Frames waiting for flow control: only messages count, their headers wait with them. */
interface Waiting {
  readonly frames: readonly Buffer[];
  readonly stream: number;
  readonly size: number;
}

/** Connects as a participant whose token is its name. */
export async function connectGrpc(port: number, token: string): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const listeners = new Map<number, Listener>();
  // Flow-control windows: for the connection, and for streams that stay open.
  const windows = new Map<number, number>([[0, DEFAULT_WINDOW]]);
  let initialWindow = DEFAULT_WINDOW;
  const headers = createHeaderWriter();
  const headersOf = new Map<string, readonly Header[]>();
  let nextStream = 1;
  let closing = false;
  let unread: Buffer | undefined;
  let taken = 0;
  let out: Buffer[] = [];
  let waiting: Waiting[] = [];
  let fail: ((error: Error) => void) | undefined;
  let greeted: (() => void) | undefined;
  const lost = new Promise<never>((_, reject) => {
    fail = (error) => void (closing || reject(error));
  });
  lost.catch(() => {});
  const greeting = new Promise<void>((resolve) => {
    greeted = resolve;
  });

  function send(frame: Buffer): void {
    if (out.push(frame) === 1) process.nextTick(flush);
  }

  function flush(): void {
    const [first] = out;
    if (first !== undefined) socket.write(out.length === 1 ? first : Buffer.concat(out));
    out = [];
  }

  /** Takes bytes from the windows, if available. */
  function spend({ stream, size }: Waiting): boolean {
    const all = windows.get(0) ?? 0;
    const own = windows.get(stream);
    if (all < size || (own !== undefined && own < size)) return false;
    windows.set(0, all - size);
    if (own !== undefined) windows.set(stream, own - size);
    return true;
  }

  function submit(unit: Waiting): void {
    if (waiting.length > 0 || !spend(unit)) waiting.push(unit);
    else for (const frame of unit.frames) send(frame);
  }

  function resume(): void {
    const queue = waiting;
    waiting = [];
    for (const unit of queue) submit(unit);
  }

  function takeFrame(type: number, flags: number, stream: number, payload: Buffer): void {
    if (type === FRAME.data) {
      taken += payload.length;
      if (taken > MAX_WINDOW / 2) {
        send(windowUpdate(0, taken));
        taken = 0;
      }
      listeners.get(stream)?.data(payload);
    } else if (type === FRAME.settings && (flags & FLAG.ack) === 0) {
      initialWindow = settingIn(payload, INITIAL_WINDOW_SIZE) ?? initialWindow;
      send(http2Frame({ type: FRAME.settings, flags: FLAG.ack, stream: 0 }, Buffer.alloc(0)));
      greeted?.();
    } else if (type === FRAME.windowUpdate) {
      const window = windows.get(stream);
      if (window !== undefined) windows.set(stream, window + payload.readUInt32BE());
      if (waiting.length > 0) resume();
    } else if (type === FRAME.ping && (flags & FLAG.ack) === 0) {
      send(http2Frame({ type: FRAME.ping, flags: FLAG.ack, stream: 0 }, payload));
    } else if (type === FRAME.reset && listeners.has(stream)) {
      fail?.(new Error(`The server reset a call with ${payload.readUInt32BE()}.`));
    } else if (type === FRAME.goAway) {
      fail?.(new Error(`The server sends the load away: ${payload.subarray(8).toString()}`));
    }
    if ((type === FRAME.data || type === FRAME.headers) && (flags & FLAG.endStream) !== 0) {
      const listener = listeners.get(stream);
      listeners.delete(stream);
      windows.delete(stream);
      listener?.end();
    }
  }

  function take(chunk: Buffer): void {
    const bytes = unread === undefined ? chunk : Buffer.concat([unread, chunk]);
    let at = 0;
    while (bytes.length - at >= FRAME_HEADER) {
      const start = at + FRAME_HEADER;
      const end = start + bytes.readUIntBE(at, 3);
      if (end > bytes.length) break;
      takeFrame(
        bytes[at + 3] ?? 0,
        bytes[at + 4] ?? 0,
        bytes.readUInt32BE(at + 5),
        bytes.subarray(start, end),
      );
      at = end;
    }
    unread = at === bytes.length ? undefined : bytes.subarray(at);
  }

  await once(socket, 'connect');
  // Waiters learn it from `lost`.
  socket.on('error', () => {});
  socket.once('close', () => fail?.(new Error('A connection of the load was ended by the server.')));
  socket.on('data', take);
  send(PREFACE);
  send(settings(INITIAL_WINDOW_SIZE, MAX_WINDOW));
  send(windowUpdate(0, MAX_WINDOW - DEFAULT_WINDOW));
  await Promise.race([greeting, lost]);

  return {
    open(path, message, listener, last) {
      const stream = nextStream;
      nextStream += 2;
      listeners.set(stream, listener);
      if (!last) windows.set(stream, initialWindow);
      const fields = headersOf.get(path) ?? callHeaders(path, port, token);
      headersOf.set(path, fields);
      const block = headers.write(fields);
      submit({
        frames: [
          http2Frame({ type: FRAME.headers, flags: FLAG.endHeaders, stream }, block),
          http2Frame({ type: FRAME.data, flags: last ? FLAG.endStream : 0, stream }, message),
        ],
        stream,
        size: message.length,
      });
      return stream;
    },
    write(stream, message) {
      const frames = [http2Frame({ type: FRAME.data, flags: 0, stream }, message)];
      submit({ frames, stream, size: message.length });
    },
    lost,
    close() {
      closing = true;
      socket.destroy();
    },
  };
}

function callHeaders(path: string, port: number, token: string): readonly Header[] {
  return [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', path],
    [':authority', `127.0.0.1:${port}`],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ['authorization', `Bearer ${token}`],
  ];
}
