/** Why a character is shown as an escape. */
export type HiddenReason =
  | 'control'
  | 'bidirectional'
  | 'invisible'
  | 'blank'
  | 'space'
  | 'line_separator'
  | 'private_use'
  | 'unassigned'
  | 'surrogate'
  | 'stray_mark';

/**
 * Blank in every font, although Unicode counts them as symbols or letters: no property identifies
 * them. Braille blank, object replacement, Khitan filler, Egyptian blanks, null notehead.
 */
const BLANK = '\\u{2800}\\u{fffc}\\u{16fe4}\\u{13441}\\u{13442}\\u{1d159}';

/** The body of a character class: everything invisible, or that moves what is visible. */
const HIDDEN_CLASS = `\\p{C}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}${BLANK}`;

/** One hidden character, or one space other than the usual one. For `replace`: it is global. */
export const HIDDEN = new RegExp(`[${HIDDEN_CLASS}]|(?! )\\p{Zs}`, 'gu');

const REASONS: readonly (readonly [HiddenReason, RegExp])[] = [
  ['surrogate', /\p{Cs}/u],
  ['control', /\p{Cc}/u],
  ['bidirectional', /\p{Bidi_Control}/u],
  ['line_separator', /\p{Zl}|\p{Zp}/u],
  ['space', /\p{Zs}/u],
  ['blank', new RegExp(`[${BLANK}]`, 'u')],
  ['invisible', /\p{Default_Ignorable_Code_Point}|\p{Cf}/u],
  ['private_use', /\p{Co}/u],
  ['unassigned', /\p{Cn}/u],
];

/** Why a character that {@link HIDDEN} matches is hidden. */
export function hiddenReason(character: string): HiddenReason {
  return REASONS.find(([, pattern]) => pattern.test(character))?.[0] ?? 'invisible';
}

/** Names of the characters that people are likely to meet. All others are identified by code point. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00, 'null'],
  [0x07, 'bell'],
  [0x08, 'backspace'],
  [0x09, 'tab'],
  [0x0a, 'line feed'],
  [0x0d, 'carriage return'],
  [0x1b, 'escape'],
  [0x7f, 'delete'],
  [0xa0, 'no-break space'],
  [0xad, 'soft hyphen'],
  [0x34f, 'combining grapheme joiner'],
  [0x61c, 'Arabic letter mark'],
  [0x200b, 'zero width space'],
  [0x200c, 'zero width non-joiner'],
  [0x200d, 'zero width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0x2800, 'Braille blank'],
  [0x3000, 'ideographic space'],
  [0x3164, 'Hangul filler'],
  [0xfeff, 'byte order mark'],
]);

/** A hidden character's name, if it is well known, such as `zero width space`. */
export function characterName(code: number): string | undefined {
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return 'variation selector';
  return code >= 0xe0000 && code <= 0xe007f ? 'tag character' : NAMES.get(code);
}

/** The escape shown for a character: `\u{200b}`. */
export function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
