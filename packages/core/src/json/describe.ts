import { makeVisible } from '../text/segments.js';

const LONGEST = 60;

/**
 * What was found, short enough for an error message and safe to print: control characters, bidi
 * overrides, zero-width characters and lone surrogates are shown as escapes, so that text inside a
 * message cannot disguise itself.
 */
export function describe(found: unknown): string {
  switch (typeof found) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return quote(found);
    case 'number':
    case 'boolean':
      return String(found);
    case 'bigint':
      return `${shorten(String(found))}n`;
    case 'object':
      if (found === null) return 'null';
      return Array.isArray(found) ? `an array of ${found.length}` : 'an object';
    default:
      return `a ${typeof found}`;
  }
}

/** A name or id in quotes, shortened, with everything invisible made visible. */
export function quote(text: string): string {
  return makeVisible(JSON.stringify(shorten(text)));
}

/** The first 60 characters of a longer text, and its length. */
export function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  // A cut between the halves of a surrogate pair would leave a lone one.
  const head = text.slice(0, LONGEST).toWellFormed();
  return `${head}… (${text.length} characters)`;
}
