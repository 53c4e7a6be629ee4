import type { Change, JsonValue } from '@proffer/core/json';
import { hideAt } from '@proffer/core/secrets';
import type { Style } from '../terminal/style.js';
import { visible, visibleJson } from '../terminal/visible.js';

/**
 * What was amended, one block per place: the value before and the value now (O-13). Secrets are hidden unless they are
 * revealed.
 */
export function showChanges(
  changes: readonly Change[],
  style: Style,
  { indent, isRevealed = false }: { readonly indent: string; readonly isRevealed?: boolean },
): readonly string[] {
  const shown = (path: string, value: JsonValue): string =>
    visibleJson(isRevealed ? value : hideAt(path, value), isRevealed);
  return changes.flatMap(({ path, before, after }) => [
    `${indent}${style.bold(visible(path === '' ? '/' : path))}`,
    ...(before === undefined ? [] : [style.red(`${indent}  - ${shown(path, before)}`)]),
    ...(after === undefined ? [] : [style.green(`${indent}  + ${shown(path, after)}`)]),
  ]);
}
