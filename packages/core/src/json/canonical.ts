import { BACKSLASH, isSurrogate, QUOTE, SPACE } from './characters.js';
import { isJsonArray, type JsonObject, type JsonValue } from './json.js';

/**
 * The canonical text of a JSON value: no white space, object keys sorted by UTF-16 code units,
 * numbers and strings as ECMAScript writes them (the scheme of RFC 8785). Two values are equal
 * exactly if their canonical texts are; digests, record hashes and state comparison (I-3) are based
 * on it.
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

/**
 * Most texts need no escapes: checking is faster than letting the host write them, and short ones
 * need no regex.
 */
function isPlain(text: string): boolean {
  if (text.length > LONGEST_LOOKED_THROUGH) return !ESCAPED.test(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || isSurrogate(code)) return false;
  }
  return true;
}

const LONGEST_LOOKED_THROUGH = 14;

/** Characters that need escaping, or may need it, like a lone surrogate: the same as the loop looks for. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** A stretch without objects and arrays needs no sorting: a long one is written at once. */
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

function canonicalObject(object: JsonObject): string {
  const keys = Object.keys(object);
  const plan = planFor(keys);
  if (plan === undefined) return canonicalUnplanned(object, keys);
  let text = '';
  /**
   * Whether the closing quote of the last value is still to be written: it is combined with what
   * follows.
   */
  let isQuoteDue = false;
  for (const { key, first, next, afterText } of plan) {
    const value = object[key];
    if (value === undefined) continue;
    const start = text === '' ? first : isQuoteDue ? afterText : next;
    // As few steps as possible: each creates garbage.
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

/** The canonical text of an object whose keys have not occurred often. */
function canonicalUnplanned(object: JsonObject, keys: string[]): string {
  let text = '';
  for (const key of keys.sort()) {
    const value = object[key];
    if (value === undefined) continue;
    text += text === '' ? '{' : ',';
    text += quotedText(key);
    text += ':';
    text += canonicalJson(value);
  }
  return text === '' ? '{}' : `${text}}`;
}

/** How to write objects with certain keys: sorting and quoting the keys costs most here. */
interface Plan {
  /** In object order. */
  readonly keys: readonly string[];
  /** In text order. */
  readonly sorted: readonly KeyText[];
}

/** By the number of keys. */
const plans: Plan[][] = [];

// Peers choose the keys they send. So the number of plans is limited, a plan is made only for some
// of the objects without one, and none stays forever.
const MAX_PLANS = 8;
const MAX_KEYS = 16;
const LONGEST_KEPT_KEY = 60;
let unplanned = 0;

function planFor(keys: readonly string[]): readonly KeyText[] | undefined {
  if (keys.length > MAX_KEYS) return undefined;
  const known = (plans[keys.length] ??= []);
  for (const plan of known) if (hasKeys(plan, keys)) return plan.sorted;
  if (++unplanned % MAX_PLANS !== 0 || keys.some((key) => key.length > LONGEST_KEPT_KEY)) return undefined;
  const place = known.length < MAX_PLANS ? known.length : (unplanned / MAX_PLANS) % MAX_PLANS;
  const sorted = [...keys].sort().map(keyText);
  known[place] = { keys, sorted };
  return sorted;
}

function hasKeys({ keys }: Plan, others: readonly string[]): boolean {
  for (let index = 0; index < keys.length; index++) if (keys[index] !== others[index]) return false;
  return true;
}

/**
 * A key as the first in an object, after another value, and after a text whose closing quote is
 * missing.
 */
interface KeyText {
  readonly key: string;
  readonly first: KeyStart;
  readonly next: KeyStart;
  readonly afterText: KeyStart;
}

/** Before a value that is written out, and with a text's opening quote. */
interface KeyStart {
  readonly bare: string;
  readonly quoted: string;
}

function keyText(key: string): KeyText {
  const quoted = JSON.stringify(key);
  const after = (start: string): KeyStart => ({
    bare: `${start}${quoted}:`,
    quoted: `${start}${quoted}:"`,
  });
  return { key, first: after('{'), next: after(','), afterText: after('",') };
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return canonicalJson(left) === canonicalJson(right);
}
