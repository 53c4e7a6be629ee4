import { GATEWAY } from './envelope.js';
import { mixesAlphabets } from './lookalike.js';

const LONGEST = 128;
const PRINTABLE_ASCII = /^[!-~]+$/;
// Characters that are invisible, or move their neighbours: two ids must not differ only in these.
// U+2800 is the Braille pattern without dots.
const HIDDEN =
  /[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
const SYSTEM_NAME = /^system(?::|$)/i;
const SYSTEM_ID = /^system:/i;
// A view keyed by names or ids must be JSON that parseJson accepts.
const UNWRITABLE = '__proto__';

/** What {@link isIdentifier} requires, for messages. */
export const IDENTIFIER = `1 to 128 visible characters in Unicode form NFC, other than ${UNWRITABLE}`;

/**
 * Whether a text has only visible characters, and at least one: white space, control, format,
 * zero-width and bidi characters are not visible. The difference between an `é` and an `e` with a
 * combining accent is not visible either: only Unicode's form NFC, the single character, is allowed.
 * Letters of different alphabets may still look alike.
 */
export function isVisible(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || (text !== '' && !HIDDEN.test(text) && text.normalize('NFC') === text);
}

/**
 * Whether a text can be a message's id (O-3) or a name: 1 to 128 visible characters, counted as code
 * points ({@link isVisible}), but not `__proto__`.
 */
export function isIdentifier(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 2 * LONGEST || !isVisible(value)) return false;
  return value !== UNWRITABLE && (value.length <= LONGEST || codePoints(value) <= LONGEST);
}

const LONGEST_TOOL = 2048;

/** What {@link isToolName} requires, for messages. */
export const TOOL_NAME = `1 to ${LONGEST_TOOL} visible characters in Unicode form NFC, of one alphabet`;

/**
 * Whether a text can be the name of a tool or prompt: visible characters, as in participants' names,
 * so that no two names differ invisibly, and no confusable letters of another alphabet. It may be
 * longer, because a name may start with its owner's.
 */
export function isToolName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LONGEST_TOOL) return false;
  return PRINTABLE_ASCII.test(value) || (isVisible(value) && !mixesAlphabets(value));
}

/** True for the reserved ids of the gateway's messages: they start with `system:`, in any case. */
export function isGatewayId(id: string): boolean {
  return SYSTEM_ID.test(id);
}

/** How policies and addressees name a role instead of a participant. */
const ROLE_NAME = /^role:/i;

/** Whether a participant can have a name: an identifier that passes neither for the gateway's nor for a role. */
export function isParticipantName(value: unknown): value is string {
  return isIdentifier(value) && value !== GATEWAY && !SYSTEM_NAME.test(value) && !ROLE_NAME.test(value);
}

/** The number of characters, counting surrogate pairs as one. */
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
