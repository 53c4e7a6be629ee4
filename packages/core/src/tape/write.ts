import { encodeUtf8 } from '../hash/utf8.js';
import { BACKSLASH, CLOSE_BRACE, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE } from '../json/characters.js';
import type { Tape } from './tape.js';

// Each of these writes at an index and returns the index behind what it wrote. What does not fit is not written, but
// counted, so that the caller learns how much room it takes.

/** The canonical bytes of a scanned value. */
export function writeScanned(tape: Tape, entry: number, into: Uint8Array, at: number): number {
  const { bytes } = tape;
  const start = tape.start[entry] as number;
  const end = tape.end[entry] as number;
  if (tape.isReordered[entry] === 0) return writeBytes(bytes, start, end, into, at);
  return bytes[start] === OPEN_BRACKET
    ? writeItems(tape, entry, into, at)
    : writeMembers(tape, entry, into, at);
}

/** What is between the containers that are not canonical is copied. */
function writeItems(tape: Tape, array: number, into: Uint8Array, start: number): number {
  const { bytes } = tape;
  const behind = tape.next[array] as number;
  let at = start;
  let from = tape.start[array] as number;
  for (let item = array + 1; item < behind; item = tape.next[item] as number) {
    at = writeBytes(bytes, from, tape.start[item] as number, into, at);
    at = writeScanned(tape, item, into, at);
    from = tape.end[item] as number;
  }
  return writeBytes(bytes, from, tape.end[array] as number, into, at);
}

function writeMembers(tape: Tape, object: number, into: Uint8Array, start: number): number {
  const { bytes } = tape;
  const base = sorted.length;
  sort(tape, object, base);
  let at = start;
  for (let index = base; index < sorted.length; index++) {
    const member = sorted[index] as number;
    into[at++] = index === base ? OPEN_BRACE : COMMA;
    // With its quotes and the colon.
    const key = (tape.keyStart[member] as number) - 1;
    at = writeBytes(bytes, key, tape.start[member] as number, into, at);
    at = writeScanned(tape, member, into, at);
  }
  sorted.length = base;
  into[at++] = CLOSE_BRACE;
  return at;
}

/** The members of the objects that are being written, each in canonical order. */
const sorted: number[] = [];

/** By insertion: there are few, and most are in order. */
function sort(tape: Tape, object: number, base: number): void {
  const behind = tape.next[object] as number;
  for (let member = object + 1; member < behind; member = tape.next[member] as number) {
    let index = sorted.length;
    while (index > base && tape.isBefore(member, sorted[index - 1] as number)) {
      sorted[index] = sorted[index - 1] as number;
      index--;
    }
    sorted[index] = member;
  }
}

/** Below this length, a loop is faster than a call of the host's copy. */
const SHORT = 64;

export function writeBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  at: number,
): number {
  const length = end - start;
  if (length < SHORT) for (let index = 0; index < length; index++) into[at + index] = bytes[start + index] as number;
  else if (at + length <= into.length) into.set(bytes.subarray(start, end), at);
  return at + length;
}

/** ASCII without anything to escape. */
export function writeAscii(text: string, into: Uint8Array, at: number): number {
  for (let index = 0; index < text.length; index++) into[at + index] = text.charCodeAt(index);
  return at + text.length;
}

/** A text as a JSON string. */
export function writeText(text: string, into: Uint8Array, at: number): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < SPACE || code >= 0x80 || code === QUOTE || code === BACKSLASH)
      return writeJson(JSON.stringify(text), into, at);
    into[at + 1 + index] = code;
  }
  into[at] = QUOTE;
  into[at + 1 + text.length] = QUOTE;
  return at + text.length + 2;
}

/** JSON text of any kind. */
export function writeJson(json: string, into: Uint8Array, at: number): number {
  const bytes = encodeUtf8(json);
  return writeBytes(bytes, 0, bytes.length, into, at);
}
