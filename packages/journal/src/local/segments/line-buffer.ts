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
  #bytes = Buffer.allocUnsafeSlow(USUAL);
  /** Behind the last line. In front of the first there is room for a header. */
  #end = LONGEST_HEADER;

  /** The length of the lines. */
  get size(): number {
    return this.#end - LONGEST_HEADER;
  }

  /** Takes back everything behind a length. */
  cut(size: number): void {
    this.#end = LONGEST_HEADER + size;
  }

  clear(): void {
    this.cut(0);
    if (this.#bytes.length > MAX_KEPT) this.#bytes = Buffer.allocUnsafeSlow(USUAL);
  }

  addText(text: string): void {
    // A UTF-16 unit has up to three bytes.
    this.#makeRoom(3 * text.length);
    this.#end += this.#bytes.write(text, this.#end);
  }

  /** Writes ASCII over what was added before. @param at - where in the lines */
  replace(at: number, text: string): void {
    this.#bytes.write(text, LONGEST_HEADER + at, 'latin1');
  }

  /** Part of the lines; only valid until something is added. */
  between(start: number, end: number): Buffer {
    return this.#bytes.subarray(LONGEST_HEADER + start, LONGEST_HEADER + end);
  }

  /** All lines as a frame; only valid until something is added. */
  frame(kind: FrameKind, number: number): Buffer {
    const header = encodeHeader(kind, number, this.between(0, this.size));
    const start = LONGEST_HEADER - header.length;
    this.#bytes.write(header, start, 'latin1');
    return this.#bytes.subarray(start, this.#end);
  }

  #makeRoom(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * needed);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
