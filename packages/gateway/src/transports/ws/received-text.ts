import type { RawData } from 'ws';

/** A text message as it arrived: part of a chunk from the socket that nobody changes, and valid UTF-8. */
export class ReceivedText {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly #isAscii: boolean;

  constructor(bytes: Buffer, start: number, end: number, isAscii: boolean) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.#isAscii = isAscii;
  }

  get size(): number {
    return this.end - this.start;
  }

  text(): string {
    return this.bytes.toString(this.#isAscii ? 'latin1' : 'utf8', this.start, this.end);
  }
}

/** In place of something that is not text. */
export const NO_TEXT = new ReceivedText(Buffer.alloc(0), 0, 0, true);

/** A text message that the library read, in one or several chunks. */
export function receivedText(data: RawData): ReceivedText {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
  return new ReceivedText(bytes, 0, bytes.length, false);
}
