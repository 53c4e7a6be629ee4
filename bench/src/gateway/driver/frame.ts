/** Frame direction: client frames are masked (RFC 6455, 5.3), server frames are not. */
export type Direction = 'to server' | 'from server';

const TEXT = 0x81;
const PONG = 0x8a;

/** An unfragmented WebSocket text frame. The mask is four zeros, so the text is readable as is. */
export function textFrame(text: string, direction: Direction): Buffer {
  return frame(TEXT, Buffer.from(text), direction);
}

/** A client's reply to a ping. */
export function pongFrame(payload: Buffer): Buffer {
  return frame(PONG, payload, 'to server');
}

function frame(first: number, payload: Buffer, direction: Direction): Buffer {
  const { length } = payload;
  const masked = direction === 'to server' ? 0x80 : 0;
  const mask = Buffer.alloc(masked === 0 ? 0 : 4);
  if (length < 126) return Buffer.concat([Buffer.from([first, masked | length]), mask, payload]);
  const header = Buffer.alloc(length < 65_536 ? 4 : 10);
  header[0] = first;
  if (length < 65_536) {
    header[1] = masked | 126;
    header.writeUInt16BE(length, 2);
  } else {
    header[1] = masked | 127;
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([header, mask, payload]);
}
