import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isDigit,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  POINT,
  QUOTE,
  SPACE,
  ZERO,
} from '../json/characters.js';

/** How many entries a tape has room for. */
export const TAPE_SIZE = 4_096;

/** Each key is compared with those before it, so there must not be many. */
const MAX_KEYS = 32;

/** So many digits survive a double unchanged, and are written the same again. */
const SAFE_DIGITS = 15;

/** In place of the index behind something: the scan does not vouch for it. */
const UNSURE = -1;

/** No entry. */
const NONE = -1;

/**
 * What one pass over a JSON text leaves: an entry for each member of an object, and for each container in an array whose
 * keys are not in canonical order. Entries are in the order of the text, those in a container right behind its own. All
 * of it is numbers in arrays that are used again for the next text, so a scan creates no garbage.
 */
export class Tape {
  readonly keyStart = new Int32Array(TAPE_SIZE);
  readonly keyEnd = new Int32Array(TAPE_SIZE);
  /** Where each value begins and ends. */
  readonly start = new Int32Array(TAPE_SIZE);
  readonly end = new Int32Array(TAPE_SIZE);
  /** The entry behind this one and all that are in it. */
  readonly next = new Int32Array(TAPE_SIZE);
  /** 1 if the value, or something in it, has its keys in another order than canonical text. */
  readonly isReordered = new Uint8Array(TAPE_SIZE);
  /** The scanned bytes. */
  bytes: Uint8Array = new Uint8Array(0);
  #end = 0;
  #maxDepth = 0;
  #length = 0;

  /**
   * Scans the bytes of a message, which must be valid UTF-8. True if it is certain that `parseJson` accepts the text, that
   * it is an object, and that it differs from canonical text in nothing but the order of keys. False says nothing: blanks,
   * escapes that have a shorter form, exponents, keys beyond ASCII, and everything that is wrong, are left to `parseJson`.
   */
  scan(bytes: Uint8Array, start: number, end: number, maxDepth: number): boolean {
    this.bytes = bytes;
    this.#end = end;
    this.#maxDepth = maxDepth;
    this.#length = 1;
    return bytes[start] === OPEN_BRACE && this.#scanValue(start, 0, 0) === end;
  }

  /** The entry of a member of an object; -1 if it has none of that name. */
  member(object: number, key: Uint8Array): number {
    const behind = this.next[object] as number;
    for (let member = object + 1; member < behind; member = this.next[member] as number) {
      const start = this.keyStart[member] as number;
      if ((this.keyEnd[member] as number) - start === key.length && isWord(this.bytes, start, key))
        return member;
    }
    return NONE;
  }

  /** The length of a value, in bytes: the same in canonical text. */
  lengthOf(entry: number): number {
    return (this.end[entry] as number) - (this.start[entry] as number);
  }

  /** Whether the key of one member comes first. In ASCII, bytes are in the order of UTF-16 units. */
  isBefore(one: number, other: number): boolean {
    return this.#compareKeys(one, other) < 0;
  }

  // Each of these begins at, or right behind, the first byte of something and returns the index behind it.

  #scanValue(at: number, depth: number, entry: number): number {
    this.start[entry] = at;
    this.isReordered[entry] = 0;
    const code = this.bytes[at];
    let behind: number;
    if (code === OPEN_BRACE) behind = this.#scanMembers(at + 1, depth + 1, entry);
    else if (code === OPEN_BRACKET) behind = this.#scanItems(at + 1, depth + 1, entry);
    else behind = this.#scanPlain(at);
    this.end[entry] = behind;
    this.next[entry] = this.#length;
    return behind;
  }

  #scanMembers(first: number, depth: number, object: number): number {
    const { bytes } = this;
    if (depth > this.#maxDepth) return UNSURE;
    if (bytes[first] === CLOSE_BRACE) return first + 1;
    let at = first;
    let before = NONE;
    let isSorted = true;
    for (let count = 0; count < MAX_KEYS; count++) {
      if (bytes[at] !== QUOTE || this.#length === TAPE_SIZE) return UNSURE;
      const quote = this.#scanKey(at + 1);
      if (quote === UNSURE || bytes[quote + 1] !== COLON) return UNSURE;
      const member = this.#length++;
      this.keyStart[member] = at + 1;
      this.keyEnd[member] = quote;
      // While each key is greater than the one before it, each is new.
      isSorted &&= before === NONE || this.isBefore(before, member);
      if (!isSorted && !this.#isNew(member, object)) return UNSURE;
      before = member;
      at = this.#scanValue(quote + 2, depth, member);
      if (at === UNSURE) return UNSURE;
      if (!isSorted || this.isReordered[member] === 1) this.isReordered[object] = 1;
      const code = bytes[at++];
      if (code === CLOSE_BRACE) return at;
      if (code !== COMMA) return UNSURE;
    }
    return UNSURE;
  }

  #scanItems(first: number, depth: number, array: number): number {
    const { bytes } = this;
    if (depth > this.#maxDepth) return UNSURE;
    if (bytes[first] === CLOSE_BRACKET) return first + 1;
    for (let at = first; ; ) {
      const isContainer = bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET;
      at = isContainer ? this.#scanContainer(at, depth, array) : this.#scanPlain(at);
      if (at === UNSURE) return UNSURE;
      const code = bytes[at++];
      if (code === CLOSE_BRACKET) return at;
      if (code !== COMMA) return UNSURE;
    }
  }

  /** Without an entry if it is canonical as it is: arrays may be long. */
  #scanContainer(at: number, depth: number, array: number): number {
    if (this.#length === TAPE_SIZE) return UNSURE;
    const item = this.#length++;
    const behind = this.#scanValue(at, depth, item);
    if (this.isReordered[item] === 1) this.isReordered[array] = 1;
    else this.#length = item;
    return behind;
  }

  #scanPlain(at: number): number {
    const { bytes } = this;
    switch (bytes[at]) {
      case QUOTE:
        return this.#scanText(at + 1);
      case TRUE[0]:
        return isWord(bytes, at, TRUE) ? at + TRUE.length : UNSURE;
      case FALSE[0]:
        return isWord(bytes, at, FALSE) ? at + FALSE.length : UNSURE;
      case NULL[0]:
        return isWord(bytes, at, NULL) ? at + NULL.length : UNSURE;
      default:
        return scanNumber(bytes, at);
    }
  }

  #scanText(first: number): number {
    const { bytes } = this;
    const end = this.#end;
    for (let at = first; at < end; ) {
      if (IS_PLAIN[bytes[at] as number] === 1) at++;
      else if (bytes[at] === QUOTE) return at + 1;
      else if (bytes[at] === BACKSLASH && IS_SHORT_ESCAPE[bytes[at + 1] as number] === 1) at += 2;
      else return UNSURE;
    }
    return UNSURE;
  }

  /** Returns the index of the closing quote. */
  #scanKey(first: number): number {
    const { bytes } = this;
    const end = this.#end;
    let at = first;
    while (at < end && IS_KEY[bytes[at] as number] === 1) at++;
    if (bytes[at] !== QUOTE || at >= end) return UNSURE;
    const isForbidden = at - first === PROTO.length && isWord(bytes, first, PROTO);
    return isForbidden ? UNSURE : at;
  }

  #isNew(member: number, object: number): boolean {
    const start = this.keyStart[member] as number;
    const length = (this.keyEnd[member] as number) - start;
    for (let other = object + 1; other < member; other = this.next[other] as number) {
      const otherStart = this.keyStart[other] as number;
      if ((this.keyEnd[other] as number) - otherStart !== length) continue;
      if (isSame(this.bytes, start, otherStart, length)) return false;
    }
    return true;
  }

  #compareKeys(one: number, other: number): number {
    const { bytes } = this;
    let first = this.keyStart[one] as number;
    let second = this.keyStart[other] as number;
    const firstEnd = this.keyEnd[one] as number;
    const secondEnd = this.keyEnd[other] as number;
    while (first < firstEnd && second < secondEnd) {
      const difference = (bytes[first++] as number) - (bytes[second++] as number);
      if (difference !== 0) return difference;
    }
    return firstEnd - first - (secondEnd - second);
  }
}

/** Only what is written like this again: few digits, no zeros to leave out, no exponent. */
function scanNumber(bytes: Uint8Array, first: number): number {
  const start = bytes[first] === MINUS ? first + 1 : first;
  const point = endOfDigits(bytes, start);
  const isBelowOne = bytes[start] === ZERO;
  if (point === start || (isBelowOne && point > start + 1)) return UNSURE;
  const end = bytes[point] === POINT ? endOfDigits(bytes, point + 1) : point;
  if (end - start > SAFE_DIGITS || ((bytes[end] as number) | SPACE) === EXPONENT) return UNSURE;
  // -0 is written as 0.
  if (end === point) return isBelowOne && start > first ? UNSURE : end;
  if (end === point + 1 || bytes[end - 1] === ZERO) return UNSURE;
  return isBelowOne && isWord(bytes, point + 1, ZEROS) ? UNSURE : end;
}

function endOfDigits(bytes: Uint8Array, first: number): number {
  let at = first;
  while (isDigit(bytes[at] as number)) at++;
  return at;
}

function isWord(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false;
  return true;
}

function isSame(bytes: Uint8Array, one: number, other: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (bytes[one + index] !== bytes[other + index]) return false;
  return true;
}

/** A word of ASCII characters as bytes. */
export function wordOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const TRUE = wordOf('true');
const FALSE = wordOf('false');
const NULL = wordOf('null');
const PROTO = wordOf('__proto__');
/** A fraction with so many zeros may be written with an exponent. */
const ZEROS = wordOf('00000');
const EXPONENT = 0x65;
const FIRST_BEYOND_ASCII = 0x80;

function tableOf(isIn: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (isIn(code) ? 1 : 0));
}

/** What a text has as it is, and what a key has. */
const IS_PLAIN = tableOf((code) => code >= SPACE && code !== QUOTE && code !== BACKSLASH);
const IS_KEY = tableOf((code) => IS_PLAIN[code] === 1 && code < FIRST_BEYOND_ASCII);

/** The escapes that canonical text has as well. */
const IS_SHORT_ESCAPE = tableOf((code) => '"\\bfnrt'.includes(String.fromCharCode(code)));
