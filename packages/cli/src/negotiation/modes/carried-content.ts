import { decodeText } from '@proffer/client/negotiation';
import type { Style } from '../../terminal/shell.js';
import { visibleLines } from '../../terminal/visible.js';

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
