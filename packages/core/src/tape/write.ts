import { CLOSE_BRACE, COMMA, OPEN_BRACE, OPEN_BRACKET } from '../json/characters.js';
import { TAPE_SIZE, type Tape } from './tape.js';

/**
 * Writes the canonical bytes of a scanned value, which are as many as it has. Returns the index behind them, as do the
 * others here.
 */
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
  const first = sortedCount;
  const end = sortMembers(tape, object, first);
  sortedCount = end;
  let at = start;
  for (let index = first; index < end; index++) {
    const member = sorted[index] as number;
    into[at++] = index === first ? OPEN_BRACE : COMMA;
    // With its quotes and the colon.
    const key = (tape.keyStart[member] as number) - 1;
    at = writeBytes(bytes, key, tape.start[member] as number, into, at);
    at = writeScanned(tape, member, into, at);
  }
  sortedCount = first;
  into[at++] = CLOSE_BRACE;
  return at;
}

/** The members of the objects that are being written, each in canonical order. */
const sorted = new Int32Array(TAPE_SIZE);
let sortedCount = 0;

/** By insertion: there are few, and most are in order. Returns the index behind the last. */
function sortMembers(tape: Tape, object: number, first: number): number {
  const behind = tape.next[object] as number;
  let end = first;
  for (let member = object + 1; member < behind; member = tape.next[member] as number) {
    let index = end++;
    for (; index > first && tape.isBefore(member, sorted[index - 1] as number); index--)
      sorted[index] = sorted[index - 1] as number;
    sorted[index] = member;
  }
  return end;
}

/** Below this length, a loop is faster than a call of the host's copy. */
const SHORT = 64;

function writeBytes(bytes: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number {
  const length = end - start;
  if (length < SHORT)
    for (let index = 0; index < length; index++) into[at + index] = bytes[start + index] as number;
  else into.set(bytes.subarray(start, end), at);
  return at + length;
}
