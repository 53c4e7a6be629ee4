import type { JsonValue } from '@proffer/core/json';
import { yamlLibrary } from './yaml-library.js';

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
