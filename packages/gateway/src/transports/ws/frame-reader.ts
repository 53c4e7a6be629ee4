import { isUtf8 } from 'node:buffer';

/** Where a reader takes what it does not read itself. */
export interface FrameReaderOptions {
  /** Bytes of the largest message that is read. */
  readonly maxPayload: number;
  /** A text message that came in one frame. */
  readonly onText: (text: string) => void;
  /** A whole ping or pong, for the library. */
  readonly pass: (frame: Buffer) => void;
  /**
   * All that is not taken yet, for the library: it begins with a frame. Called once; whatever comes later is the
   * library's too.
   */
  readonly handOver: (bytes: Buffer) => void;
}

/** Reads the frames of one connection. */
export interface FrameReader {
  /** Takes the next piece that was read of the socket, whose bytes nobody else needs. Not after it was handed over. */
  read(piece: Buffer): void;
  /** Hands over what is held of an unfinished frame. */
  release(): void;
}

/** The first byte of a text message in one frame, and of a ping and a pong. */
const TEXT = 0x81;
const PING = 0x89;
const PONG = 0x8a;

const MASKED = 0x80;
const MASK_BYTES = 4;
/** A length up to this one stands in the second byte; the next two values mean that it follows in 2 bytes, or in 8. */
const SHORT = 125;
const IN_TWO_BYTES = 126;

/** An unfinished frame that comes in more pieces than this is the library's, which has limits for that (I-7). */
const MOST_PIECES = 16;

const REPLACEMENT = '\uFFFD';

/**
 * Reads what peers send nearly all the time: text messages of one frame (RFC 6455, 5.2) with less than 64 KiB. All of a
 * piece are read at once, unmasked in place and turned into text at once, which takes a fraction of what the library
 * takes. Everything else is left to the library: pings and pongs one by one, and from the first frame on that is
 * anything else, or wrong, the whole connection. So what is an error, and how it ends, is the library's to say.
 */
export function createFrameReader({ maxPayload, onText, pass, handOver }: FrameReaderOptions): FrameReader {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** When this many bytes have arrived, more is known about the unfinished frame. */
  let needed = 0;
  let isHandedOver = false;

  /** Where the first frame ends that cannot be read yet, or is not for this reader. */
  function readFrames(bytes: Buffer): number {
    let start = 0;
    while (start < bytes.length) {
      const frame = measure(bytes, start);
      if (frame === undefined) return giveAway(bytes, start);
      needed = frame.end - start;
      if (frame.end > bytes.length || !frame.isMeasured) return start;
      const first = bytes[start];
      if (first === TEXT) {
        if (frame.end - frame.payload > maxPayload) return giveAway(bytes, start);
        const text = readText(bytes, frame.payload, frame.end);
        if (text === undefined) return giveAway(bytes, start);
        onText(text);
      } else pass(bytes.subarray(start, frame.end));
      start = frame.end;
    }
    return start;
  }

  function giveAway(bytes: Buffer, start: number): number {
    isHandedOver = true;
    handOver(bytes.subarray(start));
    return bytes.length;
  }

  function hold(bytes: Buffer): void {
    held.push(bytes);
    heldBytes += bytes.length;
  }

  function takeHeld(): Buffer {
    const bytes = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held, heldBytes);
    held = [];
    heldBytes = 0;
    return bytes;
  }

  function release(): void {
    if (!isHandedOver) giveAway(takeHeld(), 0);
  }

  return {
    read(piece) {
      let bytes = piece;
      if (heldBytes > 0) {
        hold(piece);
        if (heldBytes < needed) return held.length > MOST_PIECES ? release() : undefined;
        bytes = takeHeld();
      }
      const end = readFrames(bytes);
      if (end < bytes.length) hold(bytes.subarray(end));
    },
    release,
  };
}

interface Measures {
  /** Where the payload begins. */
  readonly payload: number;
  /** Where the frame ends; if it is not measured, how far one has to see to measure it. */
  readonly end: number;
  readonly isMeasured: boolean;
}

/** Where the parts of a frame are; `undefined` if it is one for the library, or wrong. */
function measure(bytes: Buffer, start: number): Measures | undefined {
  const first = bytes[start];
  if (first !== TEXT && first !== PING && first !== PONG) return undefined;
  const second = bytes[start + 1];
  if (second === undefined) return { payload: 0, end: start + 2, isMeasured: false };
  const short = second - MASKED;
  if (short < 0) return undefined;
  if (short <= SHORT) {
    const payload = start + 2 + MASK_BYTES;
    return { payload, end: payload + short, isMeasured: true };
  }
  if (short !== IN_TWO_BYTES || first !== TEXT) return undefined;
  const payload = start + 4 + MASK_BYTES;
  if (bytes.length < start + 4) return { payload, end: start + 4, isMeasured: false };
  return { payload, end: payload + bytes.readUInt16BE(start + 2), isMeasured: true };
}

/** The text of a masked payload; nothing, and the bytes as they were, if it is not UTF-8. */
function readText(bytes: Buffer, payload: number, end: number): string | undefined {
  unmask(bytes, payload, end);
  const text = bytes.toString('utf8', payload, end);
  // What is not UTF-8 becomes this character. Somebody may also have sent it.
  if (!text.includes(REPLACEMENT) || isUtf8(bytes.subarray(payload, end))) return text;
  unmask(bytes, payload, end);
  return undefined;
}

/** Unmasks a payload, or masks it again, with the bytes in front of it. */
function unmask(bytes: Buffer, payload: number, end: number): void {
  const mask = payload - MASK_BYTES;
  const first = bytes[mask] as number;
  const second = bytes[mask + 1] as number;
  const third = bytes[mask + 2] as number;
  const fourth = bytes[mask + 3] as number;
  let at = payload;
  for (; at + 3 < end; at += 4) {
    bytes[at] = (bytes[at] as number) ^ first;
    bytes[at + 1] = (bytes[at + 1] as number) ^ second;
    bytes[at + 2] = (bytes[at + 2] as number) ^ third;
    bytes[at + 3] = (bytes[at + 3] as number) ^ fourth;
  }
  for (; at < end; at++) bytes[at] = (bytes[at] as number) ^ (bytes[mask + ((at - payload) & 3)] as number);
}
