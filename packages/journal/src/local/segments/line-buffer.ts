import { JsonBytes } from '@proffer/core/json';
import { encodeHeader, type FrameKind, LONGEST_HEADER } from './frame.js';

/** Room for about a hundred records. */
const USUAL = 65_536;

/** A larger buffer is not kept. */
const MAX_KEPT = 4 * 1_048_576;

/**
 * Lines of records that become one frame, in memory that is used again for the next: the system hands out large blocks of
 * memory page by page, and clears each page, which costs as much as writing them.
 */
export class LineBuffer {
  /** Behind the last line is its end. In front of the first there is room for a header. */
  #text = new JsonBytes(USUAL);

  constructor() {
    this.cut(0);
  }

  /** For adding to the lines. */
  get text(): JsonBytes {
    return this.#text;
  }

  /** The length of the lines. */
  get size(): number {
    return this.#text.end - LONGEST_HEADER;
  }

  /** Takes back everything behind a length. */
  cut(size: number): void {
    this.#text.end = LONGEST_HEADER + size;
  }

  clear(): void {
    if (this.#text.bytes.length > MAX_KEPT) this.#text = new JsonBytes(USUAL);
    this.cut(0);
  }

  /** Part of the lines; only valid until something is added. */
  between(start: number, end: number): Buffer {
    return Buffer.from(this.#text.bytes.buffer, LONGEST_HEADER + start, end - start);
  }

  /** All lines as a frame; only valid until something is added. */
  frame(kind: FrameKind, number: number): Buffer {
    const header = encodeHeader(kind, number, this.between(0, this.size));
    const start = LONGEST_HEADER - header.length;
    const frame = Buffer.from(this.#text.bytes.buffer, start, this.#text.end - start);
    frame.write(header, 'latin1');
    return frame;
  }
}
