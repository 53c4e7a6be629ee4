import { hideInText } from '@proffer/core/secrets';
import { diffArrays } from 'diff';
import type { Style } from '../terminal/shell.js';
import { visibleLines } from '../terminal/visible.js';

/** Marks a line that ends with a carriage return, where others do not. */
const CARRIAGE_RETURN = '␍';

/** The change from one text to another, line by line, each in full. Secrets are hidden unless they are revealed. */
export function showDiff(
  { before, after }: { readonly before: string; readonly after: string },
  style: Style,
  { gutter, isRevealed }: { readonly gutter: string; readonly isRevealed: boolean },
): readonly string[] {
  // A secret may have several lines.
  const shown = (text: string): string => (isRevealed ? text : hideInText(text));
  const [old, now] = [linesOf(shown(before)), linesOf(shown(after))];
  // More than 2,000 changed lines are one block, because it would take too long to compare them.
  const parts = diffArrays(old, now, { maxEditLength: 2_000 }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  // Where all lines end the same way, the ends say nothing.
  const mark = isAllCrlf(before) && isAllCrlf(after) ? '' : CARRIAGE_RETURN;
  return parts.flatMap(({ removed, added, value }) => {
    const [sign, paint] = removed
      ? ['-', style.red]
      : added
        ? ['+', style.green]
        : [' ', (text: string) => text];
    return value.flatMap((line) =>
      visibleLines(line.replace(/\r$/, mark), `${gutter}${sign} `, true).map(paint),
    );
  });
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function isAllCrlf(text: string): boolean {
  return !/(?<!\r)\n/.test(text);
}
