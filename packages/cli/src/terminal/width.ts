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
