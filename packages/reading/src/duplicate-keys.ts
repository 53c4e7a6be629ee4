import type { Node } from 'yaml';
import { yamlLibrary } from './yaml-library.js';

/** A key that its map has already, as offsets in the text. */
export interface DuplicateKey {
  readonly offset: number;
  /** Where it stands the first time. */
  readonly first: number;
}

/**
 * The keys that their maps have already, also those below such a key, but none twice because of an alias. In time that grows with the
 * text alone: the parser's own check compares each key with all before it.
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
