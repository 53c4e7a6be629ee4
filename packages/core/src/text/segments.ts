import { defined } from '../json/defined.js';
import { characterName, escapeOf, HIDDEN, type HiddenReason, hiddenReason } from './hidden.js';
import { type SuspiciousWord, showOddLetters, wordJudge } from './scripts.js';

/** A piece of text from others, ready to be shown. Together the pieces are the text itself. */
export type TextSegment =
  | { readonly type: 'plain'; readonly text: string }
  | {
      readonly type: 'hidden';
      /** The character itself. Do not show it. */
      readonly text: string;
      readonly codePoint: number;
      readonly reason: HiddenReason;
      /** If it is well known, such as `zero width space`. */
      readonly name?: string;
      /** What to show instead, such as `\u{200b}`. */
      readonly shown: string;
    }
  | {
      readonly type: 'suspicious';
      readonly text: string;
      readonly reason: SuspiciousWord['reason'];
      readonly scripts: readonly string[];
      /** The word with the odd letters as escapes, such as `p\u{430}ypal`. */
      readonly shown: string;
    };

/** How text is shown. */
export interface SegmentOptions {
  /** Line feeds and tabs are plain: the display keeps the lines. Default false. */
  readonly multiline?: boolean;
}

const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[\n\t -~]*$/;
/**
 * Letters with their combining marks, or with hidden characters between them: these must not split a
 * word.
 */
const WORD = /[\p{L}\p{M}\p{N}\p{Pc}\p{C}\p{Default_Ignorable_Code_Point}]+/gu;
/** No script puts more marks on one letter; more would run into the lines above and below. */
const MAX_MARKS = 4;
const MARK = /\p{Mn}|\p{Me}/u;

/**
 * Splits a text into parts that can be shown unchanged, characters that are invisible or would
 * reorder the text, and words that may be misread. Pure; uses the JavaScript engine's tables.
 */
export function segmentText(
  text: string,
  { multiline = false }: SegmentOptions = {},
): readonly TextSegment[] {
  if ((multiline ? PLAIN_LINES : PLAIN).test(text)) return text === '' ? [] : [{ type: 'plain', text }];
  const segments: TextSegment[] = [];
  const judge = wordJudge(text);
  let at = 0;
  for (const found of text.matchAll(WORD)) {
    addCharacters(segments, text.slice(at, found.index), multiline);
    const [word] = found;
    addCharacters(segments, word, multiline, judge(word));
    at = found.index + word.length;
  }
  addCharacters(segments, text.slice(at), multiline);
  return segments;
}

/** A text on one line, with everything hidden as an escape, and every odd letter in a word, too. */
export function makeVisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return segmentText(text)
    .map((segment) => (segment.type === 'plain' ? segment.text : segment.shown))
    .join('');
}

/**
 * The JSON text of a value with every hidden character escaped, so that it can be printed. Parsing it
 * gives the same value.
 *
 * @param space - as for `JSON.stringify`
 */
export function printableJson(value: unknown, space?: number): string {
  const text = JSON.stringify(value, undefined, space) ?? 'null';
  if (PLAIN_LINES.test(text)) return text;
  // The line feeds of an indented text are outside its strings.
  return text.replace(HIDDEN, (character) => (character === '\n' ? character : jsonEscape(character)));
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Adds a piece that is a word, or contains none. */
function addCharacters(
  segments: TextSegment[],
  piece: string,
  multiline: boolean,
  suspicious?: SuspiciousWord,
): void {
  let at = 0;
  const showUntil = (end: number): void => {
    if (end > at) segments.push(shownAs(piece.slice(at, end), suspicious));
  };
  for (const [index, length, reason] of hiddenIn(piece, hasBase(segments.at(-1)))) {
    const text = piece.slice(index, index + length);
    if (multiline && (text === '\n' || text === '\t')) continue;
    showUntil(index);
    const codePoint = text.codePointAt(0) ?? 0;
    const name = characterName(codePoint);
    segments.push({ type: 'hidden', text, codePoint, reason, ...defined({ name }), shown: escapeOf(text) });
    at = index + length;
  }
  showUntil(piece.length);
}

function shownAs(text: string, suspicious: SuspiciousWord | undefined): TextSegment {
  if (suspicious === undefined) return { type: 'plain', text };
  const { reason, scripts } = suspicious;
  return { type: 'suspicious', text, reason, scripts, shown: showOddLetters(text, suspicious) };
}

type Found = readonly [index: number, length: number, reason: HiddenReason];

/** Whether a following combining mark has a base. */
function hasBase(before: TextSegment | undefined): boolean {
  return before !== undefined && before.type !== 'hidden' && !/\s$/.test(before.text);
}

/** Hidden characters, and combining marks without a base letter, or too many on one. */
function hiddenIn(piece: string, isOnBase: boolean): readonly Found[] {
  if (piece.search(HIDDEN) === -1 && !MARK.test(piece)) return [];
  const found: Found[] = [];
  let index = 0;
  let marks = isOnBase ? 0 : MAX_MARKS;
  for (const character of piece) {
    const isHidden = character.search(HIDDEN) === 0;
    const isMark = !isHidden && MARK.test(character);
    if (isHidden) found.push([index, character.length, hiddenReason(character)]);
    else if (isMark && marks >= MAX_MARKS) found.push([index, character.length, 'stray_mark']);
    marks = isMark ? marks + 1 : isHidden || /\s/u.test(character) ? MAX_MARKS : 0;
    index += character.length;
  }
  return found;
}
