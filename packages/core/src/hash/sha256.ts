import { canonicalJson } from '../json/canonical.js';
import type { JsonValue } from '../json/json.js';
import { encodeUtf8 } from './utf8.js';

/**
 * Hex of SHA-256 over a text's UTF-8 bytes. Hosts with a native one pass it in (see {@link
 * sealRecord}).
 */
export type HashText = (text: string) => string;

/**
 * SHA-256 (FIPS 180-4) in plain JavaScript, synchronous in Node and in browsers, where the platform's
 * own is asynchronous and a pure fold could not call it.
 */
export const sha256: HashText = (text) => {
  const state = digest(encodeUtf8(text));
  let hex = '';
  for (let word = 0; word < 8; word++) hex += hexOf(state[word] as number);
  return hex;
};

/** The same over any bytes, as 32 bytes. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  const hash = new DataView(new ArrayBuffer(32));
  for (const [word, value] of digest(bytes).entries()) hash.setInt32(word * 4, value);
  return new Uint8Array(hash.buffer);
}

function digest(bytes: Uint8Array): Int32Array {
  const message = pad(bytes);
  const state = Int32Array.from(INITIAL);
  for (let offset = 0; offset < message.length; offset += 64) compress(state, message, offset);
  return state;
}

function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return padded;
}

// Scratch space, completely written before it is read; saves an allocation per block.
const schedule = new Int32Array(64);

function hexOf(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

function compress(state: Int32Array, message: Uint8Array, offset: number): void {
  const view = new DataView(message.buffer, message.byteOffset + offset, 64);
  for (let round = 0; round < 16; round++) schedule[round] = view.getInt32(round * 4);
  for (let round = 16; round < 64; round++) {
    const w15 = schedule[round - 15] as number;
    const w2 = schedule[round - 2] as number;
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    schedule[round] = ((schedule[round - 16] as number) + s0 + (schedule[round - 7] as number) + s1) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let round = 0; round < 64; round++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + (ROUND_CONSTANTS[round] as number) + (schedule[round] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + s0 + majority) | 0;
  }
  // Stores into an Int32Array wrap to 32 bits by themselves.
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

// The constants as FIPS 180-4 defines them: the first 32 bits of the fractional parts of the square
// roots of the first 8 primes, and of the cube roots of the first 64.
const PRIMES = firstPrimes(64);
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 0x1_0000_0000) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

/** A digest of a JSON value's canonical text: `sha256:` and 64 hex digits. */
export function digestJson(value: JsonValue, hash: HashText = sha256): string {
  return `sha256:${hash(canonicalJson(value))}`;
}
