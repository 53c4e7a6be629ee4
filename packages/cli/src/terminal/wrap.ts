import { displayWidth } from './width.js';

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
