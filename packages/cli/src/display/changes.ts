import type { Change } from '@proffer/core/json';
import type { Style } from '../terminal/style.js';
import { visible, visibleJson } from '../terminal/visible.js';

/** What was amended, one block per place: what stood there before and what stands there now (O-13). */
export function showChanges(changes: readonly Change[], style: Style, indent: string): readonly string[] {
  return changes.flatMap(({ path, before, after }) => [
    `${indent}${style.bold(visible(path === '' ? '/' : path))}`,
    ...(before === undefined ? [] : [style.red(`${indent}  - ${visibleJson(before)}`)]),
    ...(after === undefined ? [] : [style.green(`${indent}  + ${visibleJson(after)}`)]),
  ]);
}
