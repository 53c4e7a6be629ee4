/** Types of HTTP/2 frames (RFC 9113, 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
} as const;

export const FLAG = { endStream: 1, ack: 1, endHeaders: 4 } as const;

/** Bytes of a frame header. */
export const FRAME_HEADER = 9;

/** The setting for the initial window of a stream. */
export const INITIAL_WINDOW_SIZE = 4;

/** The connection preface a client sends before any frame. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
}

export function http2Frame({ type, flags, stream }: FrameHead, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER + payload.length);
  frame.writeUIntBE(payload.length, 0, 3);
  frame[3] = type;
  frame[4] = flags;
  frame.writeUInt32BE(stream, 5);
  payload.copy(frame, FRAME_HEADER);
  return frame;
}

/** Grants the peer more bytes: on a stream, or on the connection for stream 0. */
export function windowUpdate(stream: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return http2Frame({ type: FRAME.windowUpdate, flags: 0, stream }, payload);
}

/** One setting; the others keep their defaults. */
export function settings(id: number, value: number): Buffer {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(id);
  payload.writeUInt32BE(value, 2);
  return http2Frame({ type: FRAME.settings, flags: 0, stream: 0 }, payload);
}

/** The value of a setting in a frame's payload, if present. */
export function settingIn(payload: Buffer, id: number): number | undefined {
  for (let at = 0; at + 6 <= payload.length; at += 6) {
    if (payload.readUInt16BE(at) === id) return payload.readUInt32BE(at + 2);
  }
  return undefined;
}
