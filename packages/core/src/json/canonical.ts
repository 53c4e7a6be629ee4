import { isJsonArray, type JsonObject, type JsonValue } from './json.js';

/**
 * The one text that stands for a JSON value: no white space, object keys sorted by UTF-16 code
 * units, numbers and strings as ECMAScript writes them (the scheme of RFC 8785). Two values are the
 * same exactly when their canonical texts are; digests, record hashes and state comparison (I-3)
 * rest on it.
 */
export function canonicalJson(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return JSON.stringify(value);
    default:
      if (value === null) return 'null';
      return isJsonArray(value) ? canonicalArray(value) : canonicalObject(value);
  }
}

function canonicalArray(items: readonly JsonValue[]): string {
  let text = '[';
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (index > 0) text += ',';
    text += item === undefined ? 'null' : canonicalJson(item);
  }
  return `${text}]`;
}

function canonicalObject(object: JsonObject): string {
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}

/** True when two JSON values say the same, whatever the order of their keys. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return canonicalJson(left) === canonicalJson(right);
}
