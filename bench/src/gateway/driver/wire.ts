import { connect, type Socket } from 'node:net';
import { pongFrame } from './frame.js';

/**
 * A minimal WebSocket client for load: it counts frames without parsing their contents, so that the driver
 * does not dominate the measurement.
 */
export interface Wire {
  readonly socket: Socket;
  /** Messages received so far. */
  readonly received: number;
  /** Called with the position of each message in the chunk. Absent: messages are only counted. */
  onMessage: ((bytes: Buffer, start: number, end: number) => void) | undefined;
  /** Called after each chunk. */
  onProgress: (() => void) | undefined;
  /**
   * Rejects when the connection ends in any way other than {@link Wire.close}; race it against what you wait
   * for.
   */
  readonly lost: Promise<never>;
  /** Sends whole frames. */
  send(frames: Buffer): void;
  close(): void;
}

export interface WireOptions {
  readonly port: number;
  /** Path and query string. */
  readonly path: string;
  readonly token?: string;
}

/** Connects and upgrades. Throws with the server's response if it refuses. */
export async function connectWire(options: WireOptions): Promise<Wire> {
  const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
  const rest = await upgrade(socket, options);
  let closing = false;
  let received = 0;
  let unread: Buffer | undefined;

  function take(chunk: Buffer): void {
    const bytes = unread === undefined ? chunk : Buffer.concat([unread, chunk]);
    let at = 0;
    for (;;) {
      const frame = frameAt(bytes, at);
      if (frame === undefined) break;
      const { start, end } = frame;
      const opcode = (bytes[at] ?? 0) & 0x0f;
      if (opcode === 1) {
        received++;
        wire.onMessage?.(bytes, start, end);
      } else if (opcode === 9) {
        socket.write(pongFrame(bytes.subarray(start, end)));
      }
      at = end;
    }
    unread = at === bytes.length ? undefined : bytes.subarray(at);
    wire.onProgress?.();
  }

  const wire: Wire = {
    socket,
    get received() {
      return received;
    },
    onMessage: undefined,
    onProgress: undefined,
    lost: new Promise((_, reject) => {
      socket.once('close', () => {
        if (!closing) reject(new Error('A connection of the load was ended by the server.'));
      });
    }),
    send: (frames) => void socket.write(frames),
    close() {
      closing = true;
      socket.destroy();
    },
  };
  // Waiters learn it from `lost`.
  socket.on('error', () => {});
  wire.lost.catch(() => {});
  take(rest);
  socket.on('data', take);
  return wire;
}

/** The range of the payload of the frame at `at`, if it is complete. Servers do not mask. */
function frameAt(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  if (bytes.length - at < 2) return undefined;
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  const header = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length - at < header) return undefined;
  const start = at + header;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  const end = start + length;
  return end > bytes.length ? undefined : { start, end };
}

/** The HTTP upgrade request. */
export function upgradeRequest({ path, token }: Pick<WireOptions, 'path' | 'token'>): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return (
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${authorization}\r\n`
  );
}

/** Returns what arrived after the response. */
function upgrade(socket: Socket, options: WireOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const fail = (): void => reject(new Error(`Not let in: ${answer.toString('latin1') || 'no answer'}`));
    const take = (chunk: Buffer): void => {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!answer.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) return fail();
      socket.off('data', take).off('close', fail).off('error', fail);
      resolve(answer.subarray(end + 4));
    };
    socket.on('data', take).on('close', fail).on('error', fail);
    socket.write(upgradeRequest(options));
  });
}

/** Resolves when each connection has received a message containing the text. Call it before sending. */
export async function receivedByAll(wires: readonly Wire[], text: string): Promise<void> {
  await Promise.all(
    wires.map(
      (wire) =>
        new Promise<void>((resolve, reject) => {
          wire.lost.catch(reject);
          wire.onMessage = (bytes, start, end) => {
            if (!bytes.subarray(start, end).includes(text)) return;
            wire.onMessage = undefined;
            resolve();
          };
        }),
    ),
  );
}
