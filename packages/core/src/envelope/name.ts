import { GATEWAY } from './envelope.js';

const LONGEST = 128;
const PRINTABLE_ASCII = /^[!-~]+$/;
// What leaves no mark on a screen, or moves the marks of its neighbours: two ids that look the same
// must be the same. U+2800 is the Braille pattern without dots.
const HIDDEN =
  /[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
const SYSTEM_NAME = /^system(?::|$)/i;

/** What {@link isIdentifier} asks for, in words. */
export const IDENTIFIER = '1 to 128 visible characters';

/**
 * True for text that has visible characters and no others: white space, control, format, zero-width
 * and bidi characters are not visible. Nothing is not visible either.
 */
export function isVisible(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || (text !== '' && !HIDDEN.test(text));
}

/**
 * True for what can be a message's id (O-3) or anybody's name: 1 to 128 visible characters, counted
 * as code points ({@link isVisible}).
 */
export function isIdentifier(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 2 * LONGEST || !isVisible(value)) return false;
  return value.length <= LONGEST || codePoints(value) <= LONGEST;
}

/** True for a name that a participant can have: an identifier that does not pass for the gateway's. */
export function isParticipantName(value: unknown): value is string {
  return isIdentifier(value) && value !== GATEWAY && !SYSTEM_NAME.test(value);
}

/** How many characters a person would count who knows Unicode: surrogate pairs are one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index + 1 < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    count--;
    index++;
  }
  return count;
}
