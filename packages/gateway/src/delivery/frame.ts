/** The framing in which a subscriber reads messages. */
export type Framing = 'websocket' | 'event-stream';

/**
 * One message, framed once for all subscribers that read it this way.
 *
 * @param time - when it was accepted; only events say it
 */
export function frameText(framing: Framing, text: string, seq?: number, time?: number): Buffer {
  return framing === 'websocket' ? webSocketFrame(text) : serverSentEvent(text, seq, time);
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

/**
 * One event; its id is what a browser sends back as `Last-Event-ID` when it reconnects. Readers pass over
 * a field that they do not know, such as the time.
 */
function serverSentEvent(text: string, seq: number | undefined, time: number | undefined): Buffer {
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  const accepted = time === undefined ? '' : `time: ${time}\n`;
  return Buffer.from(`${id}${accepted}data: ${text}\n\n`);
}
