/** The part of a line that may be shown: its indentation, dashes and key. A value may be a secret. */
const SHOWN = /^[ \t]*(?:- +)*(?:-$|[\w.-]+:(?=\s|$))?/;

/** Stands for what is left out. */
const HIDDEN = '…';

const LONGEST = 500;
/** How many blank lines and comments to skip when looking for the previous line. */
const MAX_LINES_BACK = 20;

/**
 * The faulty line and the one before it, with a caret below the position; all values are left out.
 * `undefined` for a single-line text, and for lines longer than anybody writes.
 *
 * @param lines - all lines of the text
 * @param line - counted from 1
 * @param column - counted from 1
 */
export function excerptOf(lines: readonly string[], line: number, column: number): string | undefined {
  const at = lines[line - 1];
  if (at === undefined || lines.length < 2 || at.length > LONGEST) return undefined;
  const width = String(line).length;
  const gutter = (number: string): string => `  ${number.padStart(width)} | `;
  const first = Math.max(0, line - 1 - MAX_LINES_BACK);
  const above = lines.slice(first, line - 1).findLastIndex((one) => /^\s*[^\s#]/.test(one.slice(0, LONGEST)));
  const before = above === -1 ? -1 : first + above;
  const shown = withoutValue(at);
  // What is left out is one character: the caret is below it, wherever in it the position is.
  const last = shown.endsWith(HIDDEN) ? shown.length - 1 : shown.length;
  const caret = Math.min(column - 1, last);
  return [
    ...(before === -1 ? [] : [`${gutter(String(before + 1))}${withoutValue(lines[before] ?? '')}`]),
    `${gutter(String(line))}${shown}`,
    `${gutter('')}${' '.repeat(caret)}^`,
  ].join('\n');
}

function withoutValue(line: string): string {
  const [shown = ''] = SHOWN.exec(line) ?? [];
  // A tab would move the caret.
  const visible = shown.replaceAll('\t', ' ');
  if (line.slice(shown.length).trim() === '') return visible.trimEnd();
  return `${visible.endsWith(':') ? `${visible} ` : visible}${HIDDEN}`;
}
