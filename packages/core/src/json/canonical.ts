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
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    text += (text === '' ? '' : ',') + keyText(key) + canonicalJson(value);
  }
  return `{${text}}`;
}

/** Sorting is what costs most here, and for a handful of keys the plainest way is several times the fastest. */
function sortedKeys(object: JsonObject): readonly string[] {
  const keys = Object.keys(object);
  if (keys.length > FEW) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let place = index;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}

const FEW = 16;

// The same few keys come again and again. Bounded, because some are chosen by whoever sends a message.
const keyTexts = new Map<string, string>();
const MOST_KEY_TEXTS = 1000;
const LONGEST_KEPT_KEY = 60;

function keyText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (keyTexts.size < MOST_KEY_TEXTS && key.length <= LONGEST_KEPT_KEY) keyTexts.set(key, text);
  return text;
}

/** True when two JSON values say the same, whatever the order of their keys. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return canonicalJson(left) === canonicalJson(right);
}
