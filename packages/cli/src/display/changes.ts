import type { Change } from '@proffer/core/json';
import type { Style } from '../terminal/style.js';
import { visible, visibleJson } from '../terminal/visible.js';

/** What was amended, one block per place: the value before and the value now (O-13). */
export function showChanges(changes: readonly Change[], style: Style, indent: string): readonly string[] {
  return changes.flatMap(({ path, before, after }) => [
    `${indent}${style.bold(visible(path === '' ? '/' : path))}`,
    ...(before === undefined ? [] : [style.red(`${indent}  - ${visibleJson(before)}`)]),
    ...(after === undefined ? [] : [style.green(`${indent}  + ${visibleJson(after)}`)]),
  ]);
}
