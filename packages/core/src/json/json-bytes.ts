import { encodeUtf8 } from '../hash/utf8.js';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO,
} from './characters.js';
import { isJsonArray, type JsonObject, type JsonValue } from './json.js';

/** Up to so many keys are sorted here: the host takes longer to begin than this to end. */
const FEW_KEYS = 16;

/**
 * Text as bytes, in memory that is used again: canonical JSON ({@link canonicalJson}) that is hashed, stored and sent
 * without ever being a string. A string would be put together piece by piece, copied to be hashed and copied to be
 * encoded.
 */
export class JsonBytes {
  bytes: Uint8Array;
  /** Behind the last byte. */
  end = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  /** Makes room for so many more bytes. */
  reserve(length: number): void {
    const needed = this.end + length;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(2 * needed);
    larger.set(this.bytes.subarray(0, this.end));
    this.bytes = larger;
  }

  /** Adds the canonical JSON of a value. */
  addJson(value: JsonValue): void {
    switch (typeof value) {
      case 'string':
        return this.addQuoted(value);
      case 'number':
        return Number.isFinite(value) ? this.addNumber(value) : this.addAscii('null');
      case 'boolean':
        return this.addAscii(value ? 'true' : 'false');
      default:
        if (value === null) this.addAscii('null');
        else if (isJsonArray(value)) this.#addArray(value);
        else this.#addObject(value);
    }
  }

  addAscii(text: string): void {
    const { length } = text;
    this.reserve(length);
    const { bytes, end } = this;
    for (let index = 0; index < length; index++) bytes[end + index] = text.charCodeAt(index);
    this.end = end + length;
  }

  /** Adds a text as a JSON string. */
  addQuoted(text: string): void {
    const { length } = text;
    this.reserve(length + 2);
    const { bytes } = this;
    const start = this.end;
    let at = start;
    bytes[at++] = QUOTE;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      // The table ends with ASCII.
      if (IS_PLAIN[code] !== 1) return this.#addBytes(encodeUtf8(JSON.stringify(text)));
      bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.end = at;
  }

  addNumber(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) return this.addAscii(String(value));
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    this.reserve(digits);
    const { bytes } = this;
    let rest = value;
    for (let at = this.end + digits - 1; at >= this.end; at--) {
      const tenth = Math.floor(rest / 10);
      bytes[at] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    this.end += digits;
  }

  /** Adds part of other bytes. */
  addPart(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    this.bytes.set(from.subarray(start, end), this.end);
    this.end += end - start;
  }

  #addBytes(more: Uint8Array): void {
    this.addPart(more, 0, more.length);
  }

  #addByte(code: number): void {
    this.reserve(1);
    this.bytes[this.end++] = code;
  }

  #addArray(items: readonly JsonValue[]): void {
    this.#addByte(OPEN_BRACKET);
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.#addByte(COMMA);
      this.addJson(items[index] ?? null);
    }
    this.#addByte(CLOSE_BRACKET);
  }

  #addObject(object: JsonObject): void {
    let before = OPEN_BRACE;
    if (isInOrder(object)) for (const key in object) before = this.#addField(before, key, object[key]);
    else for (const key of sort(Object.keys(object))) before = this.#addField(before, key, object[key]);
    if (before === OPEN_BRACE) this.#addByte(OPEN_BRACE);
    this.#addByte(CLOSE_BRACE);
  }

  /** Returns what comes in front of the next field. */
  #addField(before: number, key: string, value: JsonValue | undefined): number {
    if (value === undefined) return before;
    this.#addByte(before);
    this.addQuoted(key);
    this.#addByte(COLON);
    this.addJson(value);
    return COMMA;
  }
}

/** Whether the keys of a parsed object, which has only own ones, are sorted. Needs no list of them. */
function isInOrder(object: JsonObject): boolean {
  let last = '';
  for (const key in object) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

/** Sorts keys in place, by insertion if there are few: most are nearly in order. */
function sort(keys: string[]): readonly string[] {
  if (keys.length > FEW_KEYS) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let at = index;
    for (; at > 0 && key < (keys[at - 1] as string); at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

/** The characters of ASCII that JSON has as they are. */
const IS_PLAIN = Uint8Array.from({ length: 0x80 }, (_, code) =>
  code >= SPACE && code !== QUOTE && code !== BACKSLASH ? 1 : 0,
);
