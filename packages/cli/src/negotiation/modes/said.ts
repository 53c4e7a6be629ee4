import { visibleLine } from '../../terminal/visible.js';

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
