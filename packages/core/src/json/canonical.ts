import { BACKSLASH, isSurrogate, QUOTE, SPACE } from './characters.js';
import { isJsonArray, type JsonObject, type JsonValue } from './json.js';

/**
 * The one text that stands for a JSON value: no white space, object keys sorted by UTF-16 code
 * units, numbers and strings as ECMAScript writes them (the scheme of RFC 8785). Two values are the
 * same exactly when their canonical texts are; digests, record hashes and state comparison (I-3)
 * rest on it.
 */
export function canonicalJson(value: JsonValue): string {
  switch (typeof value) {
    case 'number':
      // A fraction of what JSON.stringify takes for the same digits.
      return Number.isFinite(value) ? String(value) : 'null';
    case 'string':
      return quotedText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      if (value === null) return 'null';
      return isJsonArray(value) ? canonicalArray(value) : canonicalObject(value);
  }
}

function quotedText(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}

/** Most texts need no escapes: looking is quicker than having the host write them, and short ones need no pattern. */
function isPlain(text: string): boolean {
  if (text.length > LONGEST_LOOKED_THROUGH) return !ESCAPED.test(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || isSurrogate(code)) return false;
  }
  return true;
}

const LONGEST_LOOKED_THROUGH = 14;

/** What has to be escaped, or may have to, as half of a surrogate pair has: the same as the loop looks for. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Nothing is to be sorted in a stretch without objects and arrays: a long one is written in one go. */
function canonicalArray(items: readonly JsonValue[]): string {
  let text = '[';
  let index = 0;
  while (index < items.length) {
    if (index > 0) text += ',';
    const end = endOfPlainItems(items, index);
    if (end - index < LONG_STRETCH) {
      const item = items[index];
      text += item === undefined ? 'null' : canonicalJson(item);
      index++;
      continue;
    }
    text += JSON.stringify(items.slice(index, end)).slice(1, -1);
    index = end;
  }
  return `${text}]`;
}

const LONG_STRETCH = 8;

function endOfPlainItems(items: readonly JsonValue[], start: number): number {
  let end = start;
  while (end < items.length) {
    const item = items[end];
    if (typeof item === 'object' && item !== null) break;
    end++;
  }
  return end;
}

/**
 * {@link canonicalJson} of a message's payload, kept until the next one: a message is written out for its
 * fingerprint and, right after it, inside its record. The payload must be what was read from a peer, which
 * nobody changes.
 */
export function canonicalPayload(payload: JsonObject): string {
  if (payload !== kept.payload) kept = { payload, text: canonicalObject(payload) };
  return kept.text;
}

let kept: { readonly payload?: JsonObject; readonly text: string } = { text: '' };

function canonicalObject(object: JsonObject): string {
  if (object === kept.payload) return kept.text;
  let text = '';
  /** Whether the quote after the last value is still to be written: it goes with what follows it. */
  let isQuoteDue = false;
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const { first, next, afterText } = keyText(key);
    const start = text === '' ? first : isQuoteDue ? afterText : next;
    // As few steps as can be: each makes something that is thrown away.
    if (typeof value === 'string' && isPlain(value)) {
      text += start.quoted;
      text += value;
      isQuoteDue = true;
    } else {
      text += start.bare;
      text += canonicalJson(value);
      isQuoteDue = false;
    }
  }
  if (text === '') return '{}';
  return isQuoteDue ? `${text}"}` : `${text}}`;
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

// The same few keys come again and again: writing them out each time would make the canonical text of a
// record half as expensive again. Some are chosen by whoever sends a message, so there is a limit, and
// nothing stays for ever.
const keyTexts = new Map<string, KeyText>();
const MOST_KEY_TEXTS = 1000;
const LONGEST_KEPT_KEY = 60;

/** A key as it stands first in an object, after another value, and after a text whose last quote is missing. */
interface KeyText {
  readonly first: KeyStart;
  readonly next: KeyStart;
  readonly afterText: KeyStart;
}

/** Before a value that is written out, and with the first quote of a text. */
interface KeyStart {
  readonly bare: string;
  readonly quoted: string;
}

function keyText(key: string): KeyText {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(key);
  const after = (start: string): KeyStart => ({
    bare: `${start}${quoted}:`,
    quoted: `${start}${quoted}:"`,
  });
  const text = { first: after('{'), next: after(','), afterText: after('",') };
  if (key.length > LONGEST_KEPT_KEY) return text;
  if (keyTexts.size === MOST_KEY_TEXTS) keyTexts.clear();
  keyTexts.set(key, text);
  return text;
}

/** True when two JSON values say the same, whatever the order of their keys. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return canonicalJson(left) === canonicalJson(right);
}
