/** The framing in which a subscriber reads messages. */
export type Framing = 'websocket' | 'event-stream';

/** One message, framed once for all subscribers that read it this way. */
export function frameText(framing: Framing, text: string, seq?: number): Buffer {
  return framing === 'websocket' ? webSocketFrame(text) : serverSentEvent(text, seq);
}

/**
 * An unmasked, unfragmented WebSocket text frame (RFC 6455, 5.2). Built here and not by the socket
 * library, so that one buffer serves every subscriber.
 */
function webSocketFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = 0x81;
  if (headerLength === 2) {
    frame[1] = length;
  } else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerLength);
  return frame;
}

/** One event; its id is what a browser sends back as `Last-Event-ID` when it reconnects. */
function serverSentEvent(text: string, seq: number | undefined): Buffer {
  return Buffer.from(`${seq === undefined ? '' : `id: ${seq}\n`}data: ${text}\n\n`);
}
