import { isUtf8 } from 'node:buffer';
import { ReceivedText } from './received-text.js';

/** Where a reader passes what it does not handle. */
export interface FrameReaderOptions {
  /** The maximum message size, in bytes. */
  readonly maxPayload: number;
  /** A text message in one frame. */
  readonly onText: (text: ReceivedText) => void;
  /** A complete ping or pong, for the library. */
  readonly pass: (frame: Buffer) => void;
  /**
   * All remaining bytes, for the library: they begin with a frame. Called once; everything later is the
   * library's too.
   */
  readonly handOver: (bytes: Buffer) => void;
}

/** Reads the frames of one connection. */
export interface FrameReader {
  /** Handles the next chunk from the socket, whose bytes nobody else needs. Not after the handover. */
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
/**
 * A length up to this one is in the second byte; the next two values mean that it follows in 2 bytes, or in
 * 8.
 */
const SHORT = 125;
const IN_TWO_BYTES = 126;

/** An unfinished frame in more chunks than this is the library's, which has limits for that (I-7). */
const MAX_PIECES = 16;

/**
 * Reads what peers send nearly all the time: single-frame text messages (RFC 6455, 5.2) of less than 64 KiB.
 * All of a chunk are read in one go and unmasked in place, which takes a fraction of the library's time. Everything else is left to the library: pings and pongs one by one, and from the first
 * frame that is anything else, or invalid, the whole connection. So errors, and how they end a connection,
 * are the library's decision.
 */
export function createFrameReader({ maxPayload, onText, pass, handOver }: FrameReaderOptions): FrameReader {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** When this many bytes have arrived, more is known about the unfinished frame. */
  let needed = 0;
  let isHandedOver = false;

  /** The end of the first frame that cannot be read yet, or is not for this reader. */
  function readFrames(bytes: Buffer): number {
    const words = wordsAround(bytes);
    let start = 0;
    while (start < bytes.length) {
      const frame = measure(bytes, start);
      if (frame === undefined) return giveAway(bytes, start);
      needed = frame.end - start;
      if (frame.end > bytes.length || !frame.isMeasured) return start;
      const first = bytes[start];
      if (first === TEXT) {
        if (frame.end - frame.payload > maxPayload) return giveAway(bytes, start);
        const text = readText(bytes, words, frame);
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
        if (heldBytes < needed) return held.length > MAX_PIECES ? release() : undefined;
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
  /** Where the frame ends; if it is not measured, how many bytes are needed to measure it. */
  readonly end: number;
  readonly isMeasured: boolean;
}

/** The offsets of a frame's parts; `undefined` if it is one for the library, or invalid. */
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

/** The text of a masked payload; nothing, and the bytes unchanged, if it is not UTF-8. */
function readText(bytes: Buffer, words: Int32Array, { payload, end }: Measures): ReceivedText | undefined {
  const isAscii = unmask(bytes, words, payload, end);
  if (isAscii || isUtf8(bytes.subarray(payload, end))) return new ReceivedText(bytes, payload, end, isAscii);
  unmask(bytes, words, payload, end);
  return undefined;
}

/** The highest bit of each of four bytes: only characters beyond ASCII have it. */
const BEYOND_ASCII = 0x8080_8080;

/** A shorter payload is unmasked byte by byte. */
const SHORTEST = 8;

/** The mask for a word, in the order of bytes of this machine. */
const maskBytes = new Uint8Array(MASK_BYTES);
const maskWord = new Int32Array(maskBytes.buffer);

/** All of the memory that a chunk is in, in words: a `DataView` takes ten times as long in newer engines. */
function wordsAround({ buffer }: Buffer): Int32Array {
  return new Int32Array(buffer, 0, buffer.byteLength >> 2);
}

/** Unmasks a payload, or masks it again, with the bytes in front of it. Returns whether it is ASCII then. */
function unmask(bytes: Buffer, words: Int32Array, payload: number, end: number): boolean {
  if (end - payload < SHORTEST) return (unmaskBytes(bytes, payload, payload, end) & BEYOND_ASCII) === 0;
  const { byteOffset } = bytes;
  const start = payload + (-(byteOffset + payload) & 3);
  let all = unmaskBytes(bytes, payload, payload, start);
  for (let index = 0; index < MASK_BYTES; index++)
    maskBytes[index] = bytes[payload - MASK_BYTES + ((start - payload + index) & 3)] as number;
  const mask = maskWord[0] as number;
  const lastWord = (byteOffset + end) >> 2;
  for (let index = (byteOffset + start) >> 2; index < lastWord; index++) {
    const four = (words[index] as number) ^ mask;
    words[index] = four;
    all |= four;
  }
  all |= unmaskBytes(bytes, payload, lastWord * 4 - byteOffset, end);
  return (all & BEYOND_ASCII) === 0;
}

/** Unmasks part of a payload; returns all its bits. */
function unmaskBytes(bytes: Buffer, payload: number, start: number, end: number): number {
  let all = 0;
  for (let at = start; at < end; at++) {
    const one = (bytes[at] as number) ^ (bytes[payload - MASK_BYTES + ((at - payload) & 3)] as number);
    bytes[at] = one;
    all |= one;
  }
  return all;
}
