import { createRequire } from 'node:module';
import type { JsonValue } from '@proffer/core/json';

const require = createRequire(import.meta.url);

/** The YAML library, loaded when the first file is read: many programs that could read one never do. */
export function yamlLibrary(): typeof import('yaml') {
  return require('yaml') as typeof import('yaml');
}

/** Data as YAML, without folded lines. */
export function formatYaml(value: JsonValue): string {
  return yamlLibrary().stringify(value, { lineWidth: 0 });
}

/**
 * Returns YAML text with items appended to the list under a key; existing content keeps its comments
 * and layout as far as the library allows. The text must be valid: a mapping whose value under the
 * key is a list or absent.
 */
export function appendYaml(text: string, key: string, items: readonly JsonValue[]): string {
  const { isSeq, parseDocument } = yamlLibrary();
  const document = parseDocument(text);
  if (!isSeq(document.get(key))) document.set(key, document.createNode([]));
  const list = document.get(key);
  // An empty list was written `[]`, on one line.
  if (isSeq(list) && list.items.length === 0) list.flow = false;
  for (const item of items) document.addIn([key], document.createNode(item));
  return document.toString({ lineWidth: 0 });
}
