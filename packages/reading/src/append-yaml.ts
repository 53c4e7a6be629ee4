import type { JsonValue } from '@proffer/core/json';
import { yamlLibrary } from './yaml-library.js';

/**
 * A YAML text with items added at the end of a list under a key; what was there keeps its comments and its layout as far
 * as the library can. The text must be right: a mapping, whose value under the key is a list or absent.
 */
export function appendYaml(text: string, key: string, items: readonly JsonValue[]): string {
  const { isSeq, parseDocument } = yamlLibrary();
  const document = parseDocument(text);
  if (!isSeq(document.get(key))) document.set(key, document.createNode([]));
  const list = document.get(key);
  // What was empty was written `[]`, on one line.
  if (isSeq(list) && list.items.length === 0) list.flow = false;
  for (const item of items) document.addIn([key], document.createNode(item));
  return document.toString({ lineWidth: 0 });
}
