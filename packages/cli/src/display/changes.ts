import type { Change, JsonValue } from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import type { Style } from '../terminal/style.js';
import { visible, visibleJson } from '../terminal/visible.js';

/** What was amended, one block per place: the value before and the value now (O-13). Secrets are left out. */
export function showChanges(changes: readonly Change[], style: Style, indent: string): readonly string[] {
  return changes.flatMap(({ path, before, after }) => [
    `${indent}${style.bold(visible(path === '' ? '/' : path))}`,
    ...(before === undefined ? [] : [style.red(`${indent}  - ${visibleJson(shown(path, before))}`)]),
    ...(after === undefined ? [] : [style.green(`${indent}  + ${visibleJson(shown(path, after))}`)]),
  ]);
}

/** A value without its secrets: the last name of its path may tell. */
function shown(path: string, value: JsonValue): JsonValue {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return hideSecrets({ [name]: value }).value[name] ?? value;
}
