import { inOrderOf, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { hideInText, hideSecrets } from '@proffer/core/secrets';
import { makeVisible } from '@proffer/core/text';
import type { Voice } from '@proffer/core/words';

/**
 * Text from others, on one line. Everything that a person could not see, or that would move the cursor or reorder what
 * they see, is shown as an escape.
 */
export function visible(text: string): string {
  return makeVisible(text);
}

/** What somebody said, on one line: its line breaks are shown as ↵. Secrets are hidden unless they are revealed. */
export function visibleLine(text: string, isRevealed = false): string {
  const shown = isRevealed ? text : hideInText(text);
  return makeVisible(shown.replace(/[ \t\r\n]+$/, '').replaceAll(/\r?\n/g, ' ↵ '));
}

/**
 * What somebody said, line by line. Each line is prefixed with a gutter, so that none can pass for our own output.
 * Secrets are hidden unless they are revealed.
 */
export function visibleLines(text: string, gutter: string, isRevealed = false): readonly string[] {
  const shown = isRevealed ? text : hideInText(text);
  return shown.split(/\r?\n/).map((line) => `${gutter}${makeVisible(line.replaceAll('\t', '    '))}`);
}

/** A field that should be text, as text: empty if absent, JSON if it is something else. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A JSON value on one line, with the keys of objects in order. Secrets are hidden unless they are revealed. */
export function visibleJson(value: JsonValue | undefined, isRevealed = false): string {
  if (value === undefined) return 'nothing';
  return makeVisible(JSON.stringify(inOrder(isRevealed ? value : hideSecrets(value).value)));
}

function inOrder(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(inOrder);
  return isJsonObject(value) ? Object.fromEntries(entriesInOrder(value)) : value;
}

/**
 * An object with its keys sorted, including nested ones. A journal sorts keys and a gateway keeps the order in which
 * they came: without this, the same arguments would be shown in two ways.
 */
export function entriesInOrder(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.keys(value)
    .sort()
    .map((key) => [key, inOrder(value[key] ?? null)]);
}

/**
 * The arguments of a call as `key=value`, for one line of a table or a log; without their secrets.
 *
 * @param order - the names that come first; the rest follows in alphabetical order
 */
export function visibleArguments(value: JsonValue | undefined, order: readonly string[] = []): string {
  if (value === undefined) return '';
  const shown = hideSecrets(value).value;
  if (!isJsonObject(shown)) return visibleJson(shown);
  return inOrderOf(order, entriesInOrder(shown))
    .map(([key, item]) => `${makeVisible(key)}=${visibleJson(item)}`)
    .join(' ');
}

/**
 * A JSON value over several lines, each with the gutter; long texts in it keep their line breaks escaped. Secrets are
 * hidden unless they are revealed.
 */
export function visibleBlock(
  value: JsonValue | undefined,
  gutter: string,
  isRevealed = false,
): readonly string[] {
  const shown = isRevealed || value === undefined ? value : hideSecrets(value).value;
  const structured = isJsonObject(shown) || isJsonArray(shown);
  const text = structured
    ? JSON.stringify(inOrder(shown), undefined, 2)
    : (JSON.stringify(shown) ?? 'nothing');
  return visibleLines(text, gutter, isRevealed);
}

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];
const PLAIN = /^[ -~]*$/;
const MARK = /^\p{M}$/u;
const STYLES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** The display width of a text in columns. Our own colour codes have no width. */
export function displayWidth(text: string): number {
  const bare = text.replace(STYLES, '');
  if (PLAIN.test(bare)) return bare.length;
  let width = 0;
  for (const character of bare) width += characterWidth(character);
  return width;
}

/** The part of a text without colour codes that fits, with `…` if something is left out. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let taken = '';
  let used = 1;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    taken += character;
  }
  return width < 1 ? '' : `${taken}…`;
}

/** Pads with spaces to a width; a longer text is unchanged. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (MARK.test(character)) return 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

const PIECES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m|.`, 'gsu');
const GOES_ON = '    ⋮ ';

/**
 * Breaks a line that is too wide. The parts after the first begin with a mark, so that wrapped text from others cannot
 * pass for a line of our own.
 */
export function wrapLine(line: string, width: number): readonly string[] {
  if (displayWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const [piece] of line.matchAll(PIECES)) {
    const room = displayWidth(piece);
    if (used + room > width) {
      lines.push(current);
      current = GOES_ON;
      used = GOES_ON.length;
    }
    current += piece;
    used += room;
  }
  return [...lines, current];
}

/**
 * Breaks one of our own sentences between words if possible; a word that is too wide is broken like in {@link
 * wrapLine}.
 */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (displayWidth(longer) <= width) {
      current = longer;
      continue;
    }
    if (current !== '') lines.push(current);
    const broken = wrapLine(word, width);
    lines.push(...broken.slice(0, -1));
    current = broken.at(-1) ?? '';
  }
  return [...lines, current];
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];
const WORTH: ReadonlyMap<string, number> = new Map([...UNITS, ['min', 60_000], ['ms', 1]]);

/** Milliseconds in a text such as `5m`, `1.5h`, `30s`, `250ms`; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|min|h|d)$/.exec(text) ?? [];
  const worth = WORTH.get(unit);
  if (worth === undefined) return undefined;
  const milliseconds = Math.round(Number(number) * worth);
  return milliseconds > 0 ? milliseconds : undefined;
}

/** A span for people: `850 ms`, `2.1 s`, `3m 20s`, `2d 4h`. */
export function formatSpan(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (span < 1000) return `${Math.round(span)} ms`;
  if (span < 60_000) return `${(span / 1000).toFixed(1)} s`;
  const parts: string[] = [];
  let rest = span;
  for (const [unit, worth] of UNITS) {
    const count = Math.floor(rest / worth);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * worth;
  }
  return parts.slice(0, 2).join(' ');
}

/** A local time, with the date if it is not today's. */
export function formatMoment(time: number, now: number): string {
  const at = new Date(time);
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (at.toDateString() === new Date(now).toDateString()) return clock;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** How the command line writes what is not ours; secrets are hidden unless they are revealed. */
export function voiceAt(now: number, isRevealed = false): Voice {
  return {
    name: visible,
    text: (text) => visibleLine(text, isRevealed),
    span: formatSpan,
    moment: (time) => formatMoment(time, now),
  };
}
