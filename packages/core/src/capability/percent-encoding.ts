const PERCENT = 0x25;
const LETTER_U = 0x75;
const PATH_CHARACTERS: ReadonlySet<number> = new Set(
  Array.from('./\\', (character) => character.charCodeAt(0)),
);

/**
 * Whether decoding the text, any number of times, yields a dot, a separator or a control character.
 * Also true for the forms that only sloppy decoders read as such: overlong UTF-8 (`%c0%ae`) and
 * `%u002e`.
 *
 * A single pass: what a decoded character completes with those before it (`%2%65` is `%2e`) is
 * decoded at once, and decoded output stays, because none of it can be part of an encoding.
 */
export function hasDisguise(text: string): boolean {
  const decoded: number[] = [];
  for (let index = 0; index < text.length; index++) {
    decoded.push(text.charCodeAt(index));
    for (let byte = encodedAtEnd(decoded); byte !== undefined; byte = encodedAtEnd(decoded)) {
      decoded.length -= 3;
      if (isDisguised(byte, decoded.at(-1))) return true;
      decoded.push(byte);
    }
    if (decoded.at(-2) === PERCENT && ((decoded.at(-1) ?? 0) | 0x20) === LETTER_U) return true;
  }
  return false;
}

/** The byte encoded by the last three characters, if any. */
function encodedAtEnd(decoded: readonly number[]): number | undefined {
  if (decoded.at(-3) !== PERCENT) return undefined;
  const high = hexDigit(decoded.at(-2) ?? 0);
  const low = hexDigit(decoded.at(-1) ?? 0);
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

function hexDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}

function isDisguised(byte: number, before: number | undefined): boolean {
  if (byte < 0x20 || byte === 0x7f || PATH_CHARACTERS.has(byte)) return true;
  // C0 and C1 start only overlong forms; E0 and F0 do if so low a byte follows.
  if (byte === 0xc0 || byte === 0xc1) return true;
  return byte >= 0x80 && ((before === 0xe0 && byte < 0xa0) || (before === 0xf0 && byte < 0x90));
}
