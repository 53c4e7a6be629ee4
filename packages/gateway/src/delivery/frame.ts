/** The framing in which a subscriber reads messages. */
export type Framing = 'websocket' | 'event-stream';

/** A message as text; the rest is known for messages in the journal. */
export interface FramedMessage {
  readonly text: string;
  /** What comes behind the text, if part of the message is known as bytes, and then what comes behind that. */
  readonly rest?: { readonly bytes: Uint8Array; readonly start: number; readonly end: number };
  readonly after?: string;
  readonly seq?: number;
  /** When it was accepted; only events include it. */
  readonly time?: number;
}

/** Consecutive messages, framed once for all subscribers with this framing. */
export interface Frames {
  readonly bytes: Buffer;
  /** The offset of each, and the end of the last one. */
  readonly offsets: readonly number[];
}

/** The first byte of an unfragmented frame, by content. */
export const TEXT = 0x81;
const BINARY = 0x82;

/** One message, framed. */
export function frameMessage(framing: Framing, message: FramedMessage): Buffer {
  return frameMessages(framing, [message]).bytes;
}

/** One WebSocket frame with bytes from someone else. */
export function frameData(data: Buffer, isBinary: boolean): Buffer {
  const bytes = Buffer.allocUnsafe(headerLength(data.length) + data.length);
  data.copy(bytes, writeHeader(bytes, 0, data.length));
  if (isBinary) bytes[0] = BINARY;
  return bytes;
}

export function frameMessages(framing: Framing, messages: readonly FramedMessage[]): Frames {
  return framing === 'websocket' ? webSocketFrames(messages) : serverSentEvents(messages);
}

/**
 * Unmasked, unfragmented WebSocket text frames (RFC 6455, 5.2). Built here and not by the socket
 * library, so that one buffer serves every subscriber.
 */
function webSocketFrames(messages: readonly FramedMessage[]): Frames {
  const lengths = messages.map(lengthOf);
  const offsets = [0];
  let end = 0;
  for (const length of lengths) {
    end += headerLength(length) + length;
    offsets.push(end);
  }
  const bytes = Buffer.allocUnsafe(end);
  for (let index = 0; index < messages.length; index++) {
    const length = lengths[index] ?? 0;
    writeMessage(messages[index] as FramedMessage, bytes, writeHeader(bytes, offsets[index] ?? 0, length));
  }
  return { bytes, offsets };
}

/** In bytes. */
function lengthOf({ text, rest, after = '' }: FramedMessage): number {
  const known = rest === undefined ? 0 : rest.end - rest.start;
  return Buffer.byteLength(text) + known + Buffer.byteLength(after);
}

function writeMessage({ text, rest, after = '' }: FramedMessage, into: Buffer, start: number): void {
  let at = start + into.write(text, start);
  if (rest !== undefined) {
    into.set(rest.bytes.subarray(rest.start, rest.end), at);
    at += rest.end - rest.start;
  }
  if (after !== '') into.write(after, at);
}

function headerLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

/** Returns the offset of the text. */
function writeHeader(bytes: Buffer, start: number, length: number): number {
  const header = headerLength(length);
  bytes[start] = TEXT;
  if (header === 2) {
    bytes[start + 1] = length;
  } else if (header === 4) {
    bytes[start + 1] = 126;
    bytes.writeUInt16BE(length, start + 2);
  } else {
    bytes[start + 1] = 127;
    bytes.writeBigUInt64BE(BigInt(length), start + 2);
  }
  return start + header;
}

/**
 * One event each; its id is what a browser sends back as `Last-Event-ID` when it reconnects. Clients ignore
 * unknown fields, such as the time.
 */
function serverSentEvents(messages: readonly FramedMessage[]): Frames {
  const offsets = [0];
  const events = messages.map((message) => {
    const { seq, time } = message;
    const text = Buffer.allocUnsafe(lengthOf(message));
    writeMessage(message, text, 0);
    const id = seq === undefined ? '' : `id: ${seq}\n`;
    const accepted = time === undefined ? '' : `time: ${time}\n`;
    const event = Buffer.concat([Buffer.from(`${id}${accepted}data: `), text, Buffer.from('\n\n')]);
    offsets.push((offsets.at(-1) ?? 0) + event.length);
    return event;
  });
  return { bytes: Buffer.concat(events), offsets };
}
