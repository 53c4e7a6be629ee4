/** Bytes in standard base64. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return btoa(parts.join(''));
}

/** So many bytes are passed as arguments at once. */
const PIECE = 8_192;

/** The bytes of a text in standard base64; `undefined` if it is not, or not in its only form. */
export function fromBase64(text: string): Uint8Array | undefined {
  // One class, without groups: they need a stack that grows with the text.
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const binary = decoded(text);
  if (binary === undefined || btoa(binary) !== text) return undefined;
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

function decoded(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += PAIRS[byte];
  return hex;
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The bytes of a hexadecimal text in lower case; `undefined` if it is not one. Fast: the log does this for each record. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    const high = DIGITS[text.charCodeAt(2 * at)] ?? NO_DIGIT;
    const low = DIGITS[text.charCodeAt(2 * at + 1)] ?? NO_DIGIT;
    if (high === NO_DIGIT || low === NO_DIGIT) return undefined;
    bytes[at] = high * 16 + low;
  }
  return bytes;
}

const NO_DIGIT = 0xff;

/** The value of each hexadecimal digit, by its character code. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;

/** Several bytes in a row. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** The bytes of a text in base64url without padding; `undefined` if it is not. */
export function fromBase64url(text: string): Uint8Array | undefined {
  const padded = text.replaceAll('-', '+').replaceAll('_', '/');
  return /[+/=]/.test(text) ? undefined : fromBase64(padded.padEnd(Math.ceil(padded.length / 4) * 4, '='));
}
