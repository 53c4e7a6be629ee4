import { DELIMITED, FIXED32, FIXED64, GROUP_END, GROUP_START, VARINT } from './plan.js';

/** Why bytes are not a valid message. Caught where reading starts; never leaves this package. */
export class Malformed extends Error {
  readonly found: string;
  readonly expected: string;
  constructor(found: string, expected: string) {
    super(found);
    this.found = found;
    this.expected = expected;
  }
}

/** How many nested groups are skipped; groups have been obsolete since proto2. */
const MAX_GROUPS = 16;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A read position in a byte array. Never reads beyond `end`. */
export class ByteCursor {
  readonly bytes: Buffer;
  position: number;
  end: number;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.position = 0;
    this.end = bytes.length;
  }

  /** A varint of which only the lowest 32 bits count. */
  uint32(): number {
    const { bytes, end } = this;
    const first = this.position < end ? (bytes[this.position++] as number) : this.cut();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let shift = 7; shift < 70; shift += 7) {
      const byte = this.position < end ? (bytes[this.position++] as number) : this.cut();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new Malformed('a number of more than ten bytes', 'a varint');
  }

  /** A 64-bit varint as a number. Refused beyond 2^53, where doubles are no longer exact. */
  int64(signed: boolean): number {
    const { bytes, end } = this;
    let low = 0;
    let middle = 0;
    let high = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.position < end ? (bytes[this.position++] as number) : this.cut();
      const bits = byte & 0x7f;
      if (index < 4) low |= bits << (7 * index);
      else if (index < 8) middle |= bits << (7 * (index - 4));
      else high |= bits << (7 * (index - 8));
      if (byte < 0x80) {
        const top = high & 0xff;
        const isNegative = signed && (top & 0x80) !== 0;
        const value = isNegative
          ? -((0xff - top) * 2 ** 56 + (0xfffffff - middle) * 2 ** 28 + (0xfffffff - low) + 1)
          : top * 2 ** 56 + middle * 2 ** 28 + low;
        if (Number.isSafeInteger(value)) return value;
        throw new Malformed(`${value}`, 'a whole number of at most 53 bits');
      }
    }
    throw new Malformed('a number of more than ten bytes', 'a varint');
  }

  double(): number {
    const start = this.advance(8);
    const value = this.bytes.readDoubleLE(start);
    if (Number.isFinite(value)) return value;
    throw new Malformed(`${value}`, 'a finite number');
  }

  /**
   * UTF-8 text; anything else is refused, since replacing it would change the message.
   *
   * @param last - the text last read in this position: names, versions and modes repeat, and an equal
   * text need not be decoded again
   */
  string(last = ''): string {
    const length = this.uint32();
    const start = this.advance(length);
    const { bytes, position } = this;
    if (length === last.length && isSame(bytes, start, last)) return last;
    for (let index = start; index < position; index++) {
      if ((bytes[index] as number) >= 0x80) return decodeStrictly(bytes.subarray(start, position));
    }
    return bytes.toString('latin1', start, position);
  }

  /** A view, not a copy. */
  raw(): Buffer {
    const start = this.advance(this.uint32());
    return this.bytes.subarray(start, this.position);
  }

  /** Enters a length-prefixed value; returns the end of the enclosing one, for {@link leave}. */
  enter(): number {
    const length = this.uint32();
    const { end } = this;
    this.advance(length);
    this.end = this.position;
    this.position -= length;
    return end;
  }

  /** Whether everything was read. */
  leave(end: number): void {
    this.end = end;
  }

  skip(wireType: number, groups = 0): void {
    switch (wireType) {
      case VARINT:
        this.uint32();
        return;
      case FIXED64:
        this.advance(8);
        return;
      case DELIMITED:
        this.advance(this.uint32());
        return;
      case FIXED32:
        this.advance(4);
        return;
      case GROUP_START:
        if (groups === MAX_GROUPS) throw new Malformed('groups inside groups', 'fields');
        for (;;) {
          const inner = this.tag() & 7;
          if (inner === GROUP_END) return;
          this.skip(inner, groups + 1);
        }
      default:
        throw new Malformed(`wire type ${wireType}`, 'a field');
    }
  }

  /** The next field's tag: its number and wire type in one. */
  tag(): number {
    const tag = this.uint32();
    if (tag >>> 3 === 0) throw new Malformed('a field with the number 0', 'a field');
    return tag;
  }

  /** Returns the start of the next length-prefixed bytes and moves past them. */
  advance(length: number): number {
    const start = this.position;
    if (length > this.end - start) this.cut();
    this.position = start + length;
    return start;
  }

  private cut(): never {
    throw new Malformed('bytes that end too early', 'a whole message');
  }
}

function decodeStrictly(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new Malformed('bytes that are not UTF-8', 'text in UTF-8');
  }
}

function isSame(bytes: Buffer, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const byte = bytes[start + index] as number;
    if (byte >= 0x80 || byte !== text.charCodeAt(index)) return false;
  }
  return true;
}
