import { hideInText } from '@proffer/core/secrets';
import { diffLines } from '@proffer/core/text';
import type { Style } from '../terminal/style.js';
import { visibleLines } from '../terminal/visible.js';

/** The change from one text to another, line by line, each in full. Secrets are hidden unless they are revealed. */
export function showDiff(
  { before, after }: { readonly before: string; readonly after: string },
  style: Style,
  { gutter, isRevealed }: { readonly gutter: string; readonly isRevealed: boolean },
): readonly string[] {
  // A secret may have several lines.
  const shown = (text: string): string => (isRevealed ? text : hideInText(text));
  const paint = { same: (text: string) => text, removed: style.red, added: style.green };
  const signs = { same: ' ', removed: '-', added: '+' };
  return diffLines(shown(before), shown(after)).flatMap(({ type, text }) =>
    visibleLines(text, `${gutter}${signs[type]} `, true).map(paint[type]),
  );
}
