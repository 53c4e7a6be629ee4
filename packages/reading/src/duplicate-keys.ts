import type { Node } from 'yaml';
import { yamlLibrary } from './yaml-library.js';

/** A duplicate key of a map, as offsets in the text. */
export interface DuplicateKey {
  readonly offset: number;
  /** Where the key first occurs. */
  readonly first: number;
}

/**
 * All duplicate keys, including those below a duplicate; none is reported twice because of an alias.
 * Runs in linear time, unlike the parser's own check, which compares each key with all previous ones.
 */
export function duplicateKeys(contents: Node | null): readonly DuplicateKey[] {
  const { isMap, isScalar, isSeq } = yamlLibrary();
  const found: DuplicateKey[] = [];
  function look(node: unknown): void {
    if (isSeq(node)) for (const item of node.items) look(item);
    if (!isMap(node)) return;
    const seen = new Map<string, number>();
    for (const { key, value } of node.items) {
      if (isScalar(key)) {
        const name = String(key.value);
        const offset = key.range?.[0] ?? 0;
        const first = seen.get(name);
        if (first === undefined) seen.set(name, offset);
        else found.push({ offset, first });
      }
      look(value);
    }
  }
  look(contents);
  return found;
}
