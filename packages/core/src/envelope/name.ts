import { GATEWAY } from './envelope.js';
import { mixesAlphabets } from './lookalike.js';

const LONGEST = 128;
const PRINTABLE_ASCII = /^[!-~]+$/;
// What leaves no mark on a screen, or moves the marks of its neighbours: two ids must not differ only in invisible
// characters. U+2800 is the Braille pattern without dots.
const HIDDEN =
  /[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
const SYSTEM_NAME = /^system(?::|$)/i;
const SYSTEM_ID = /^system:/i;
// A view that is keyed by names or ids must be JSON that parseJson reads again.
const UNWRITABLE = '__proto__';

/** What {@link isIdentifier} requires, for messages. */
export const IDENTIFIER = `1 to 128 visible characters in Unicode form NFC, other than ${UNWRITABLE}`;

/**
 * True for text that has visible characters and no others: white space, control, format, zero-width
 * and bidi characters are not visible. Nothing is not visible either, nor is the difference between an
 * `é` and an `e` with an accent behind it: only Unicode's form NFC, the one character, will do. Letters
 * of different alphabets may still look alike.
 */
export function isVisible(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || (text !== '' && !HIDDEN.test(text) && text.normalize('NFC') === text);
}

/**
 * True for what can be a message's id (O-3) or anybody's name: 1 to 128 visible characters, counted
 * as code points ({@link isVisible}), but not `__proto__`.
 */
export function isIdentifier(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 2 * LONGEST || !isVisible(value)) return false;
  return value !== UNWRITABLE && (value.length <= LONGEST || codePoints(value) <= LONGEST);
}

const LONGEST_TOOL = 2048;

/** What {@link isToolName} requires, for messages. */
export const TOOL_NAME = `1 to ${LONGEST_TOOL} visible characters in Unicode form NFC, of one alphabet`;

/**
 * True for what can be the name of a tool or prompt: visible characters, as in the name of a participant, so that no
 * two names differ in what nobody can see, and no letters of another alphabet that pass for those around them. Longer,
 * because a name may begin with whose tool it is.
 */
export function isToolName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LONGEST_TOOL) return false;
  return PRINTABLE_ASCII.test(value) || (isVisible(value) && !mixesAlphabets(value));
}

/** True for an id such as only the gateway gives to messages: it begins with `system:`, in any case. */
export function isGatewayId(id: string): boolean {
  return SYSTEM_ID.test(id);
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
