import { decodeText } from '@proffer/client/negotiation';
import type { Style } from '../terminal/shell.js';
import { visible, visibleLine, visibleLines } from '../terminal/visible.js';

/** The maximum number of names shown for a session, which may have a thousand. */
const MOST_NAMES = 5;

/** The first few names on one line, and how many more there are. */
export function someNames(names: readonly string[]): string {
  const told = names.slice(0, MOST_NAMES).map(visible).join(', ');
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${told} and ${more} more` : told;
}

/** What somebody added, after a colon; nothing if they added nothing. */
export function afterwards(said: string): string {
  return said === '' ? '' : `: ${visibleLine(said)}`;
}

/** What somebody said in several fields, on one line. */
export function together(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => visibleLine(part))
    .join(': ');
}

const BAR_WIDTH = 20;

/** A share as a bar: `██████░░░░`. A share outside of 0 … 1 is shown as the nearer of the two. */
export function progressBar(share: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}

/** The maximum number of lines of a content that are shown; `--json` has all of it. */
const MOST_LINES = 20;

/** What a message carries as bytes: its text, line by line, or its size if it is not text. */
export function showContent(base64: string, gutter: string, style: Style): readonly string[] {
  if (base64 === '') return [];
  const text = decodeText(base64);
  if (text.includes('\uFFFD') || text.includes('\0')) {
    return [`${gutter}${style.dim(`${Buffer.byteLength(base64, 'base64')} bytes that are not text`)}`];
  }
  const lines = visibleLines(text.trimEnd(), gutter);
  const left = lines.length - MOST_LINES;
  if (left <= 0) return lines;
  return [...lines.slice(0, MOST_LINES), `${gutter}${style.dim(`… ${left} more lines; --json shows all`)}`];
}
