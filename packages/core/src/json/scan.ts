import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  isDigit,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './characters.js';

/** Integers with so few digits survive a double unchanged. */
const SAFE_DIGITS = 15;

/** Any more would overflow the largest double. */
const MAX_DIGITS = 309;

/**
 * True for an integer that changes when it is parsed as a double and written again, as every hop
 * does: `9007199254740993` becomes `9007199254740992`. Numbers with a fraction or an exponent do not
 * count as integers here: they are considered as exact as a double.
 *
 * @param start - where a run of digits starts in the text, and
 * @param end - the index after it
 */
function isChangedInteger(text: string, start: number, end: number): boolean {
  if (end - start <= MAX_DIGITS && survives(text.slice(start, end))) return false;
  const before = text.slice(Math.max(0, start - 2), start);
  return !/[.eE][+-]?$/.test(before) && !/[.eE]/.test(text.charAt(end));
}

function survives(digits: string): boolean {
  const value = Number(digits);
  if (value <= Number.MAX_SAFE_INTEGER) return true;
  const written = String(value);
  if (written === digits) return true;
  // From 1e21 on it is written with an exponent; the zeros that this omits make no difference.
  const [significant = '', exponent] = written.split('e');
  return exponent !== undefined && significant.replace('.', '') === digits.replace(/0+$/, '');
}

/** What the brackets, colons and digits of a JSON text show before it is parsed. */
export interface Structure {
  /** The deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Colons outside strings: one per key of each object, if the text is JSON. */
  readonly colons: number;
  /**
   * The digits of the first integer that a double would change ({@link isChangedInteger}), from start
   * to before end.
   */
  readonly changedInteger: { readonly start: number; readonly end: number } | undefined;
}

/** One pass over the text, without allocations. Does not check whether the text is JSON. */
export function scanStructure(text: string): Structure {
  let depth = 0;
  let deepest = 0;
  let colons = 0;
  let changedInteger: Structure['changedInteger'];
  let lastOther = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      if (index - lastOther <= SAFE_DIGITS || changedInteger !== undefined) continue;
      const start = lastOther + 1;
      while (isDigit(text.charCodeAt(index + 1))) index++;
      if (isChangedInteger(text, start, index + 1)) changedInteger = { start, end: index + 1 };
      continue;
    }
    switch (code) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case COLON:
        colons++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      default:
    }
    lastOther = index;
  }
  return { depth: deepest, colons, changedInteger };
}

/** The index of the quote that ends the string starting at `start`, or the text's end. */
export function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (;;) {
    const quote = text.indexOf('"', index);
    if (quote === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote;
    index = quote + 1;
  }
}
