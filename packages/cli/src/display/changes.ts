import { type Change, changeTexts, type JsonValue } from '@proffer/core/json';
import { hideAt } from '@proffer/core/secrets';
import type { Style } from '../terminal/shell.js';
import { visible, visibleJson } from '../terminal/visible.js';
import { showDiff } from './diff.js';

/**
 * What was amended, one block per place: the value before and the value now, or the difference between texts of several
 * lines (O-13). Secrets are hidden unless they are revealed.
 */
export function showChanges(
  changes: readonly Change[],
  style: Style,
  { indent, isRevealed = false }: { readonly indent: string; readonly isRevealed?: boolean },
): readonly string[] {
  const shown = (path: string, value: JsonValue): string =>
    visibleJson(isRevealed ? value : hideAt(path, value), isRevealed);
  const onLines = ({ path, before, after }: Change): readonly string[] => [
    ...(before === undefined ? [] : [style.red(`${indent}  - ${shown(path, before)}`)]),
    ...(after === undefined ? [] : [style.green(`${indent}  + ${shown(path, after)}`)]),
  ];
  const hidden = (path: string, value: JsonValue | undefined): JsonValue | undefined =>
    isRevealed || value === undefined ? value : hideAt(path, value);
  return changes.flatMap((change) => {
    const { path, before, after } = change;
    const place = `${indent}${style.bold(visible(path === '' ? '/' : path))}`;
    if (!isLong(before) && !isLong(after)) return [place, ...onLines(change)];
    const texts = changeTexts(hidden(path, before), hidden(path, after));
    return [place, ...showDiff(texts, style, { gutter: `${indent}  `, isRevealed })];
  });
}

function isLong(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.includes('\n');
}
