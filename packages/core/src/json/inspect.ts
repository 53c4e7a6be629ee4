import { type Refusal, refuse } from '../refusal/refusal.js';
import { describe } from './describe.js';
import { formatPath, isJsonArray, type JsonValue } from './json.js';

/** The result of walking a parsed value. */
export interface Inspection {
  /** The number of keys of all objects in the value. */
  readonly keys: number;
  /** The first forbidden thing. */
  readonly refusal?: Refusal;
}

/**
 * Walks a value of bounded depth, and finds what JSON syntax allows but Proffer does not: keys that
 * pollute prototypes, text that is not Unicode, numbers that overflow.
 *
 * @param text - the JSON text of the value
 */
export function inspect(value: JsonValue, text: string): Inspection {
  // Half a character can only come from half a character, or from an escape.
  const isUnicode = text.isWellFormed() && !text.includes('\\u');
  const count = countKeys(value, isUnicode);
  return count === undefined ? find(value) : { keys: count };
}

/** The number of keys; `undefined` if something is forbidden. */
function countKeys(value: JsonValue, isUnicode: boolean): number | undefined {
  if (typeof value === 'string') return isUnicode || value.isWellFormed() ? 0 : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : undefined;
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const more = countKeys(value[index] as JsonValue, isUnicode);
      if (more === undefined) return undefined;
      keys += more;
    }
    return keys;
  }
  // A parsed object has only own keys, and this loop needs no list of them.
  for (const key in value) {
    if (key === '__proto__' || !(isUnicode || key.isWellFormed())) return undefined;
    const more = countKeys(value[key] as JsonValue, isUnicode);
    if (more === undefined) return undefined;
    keys += more + 1;
  }
  return keys;
}

/** Walks with a path to what is forbidden, which takes longer. */
function find(value: JsonValue): Inspection {
  const path: (string | number)[] = [];
  let keys = 0;

  function visit(current: JsonValue): Refusal | undefined {
    if (typeof current === 'string') return current.isWellFormed() ? undefined : refuseText(path);
    if (typeof current === 'number')
      return Number.isFinite(current) ? undefined : refuseNumber(path, current);
    if (typeof current !== 'object' || current === null) return undefined;
    if (isJsonArray(current)) return visitItems(current);
    for (const key in current) {
      keys++;
      path.push(key);
      const refusal = checkKey(key, path) ?? visit(current[key] as JsonValue);
      if (refusal !== undefined) return refusal;
      path.pop();
    }
    return undefined;
  }

  function visitItems(items: readonly JsonValue[]): Refusal | undefined {
    for (let index = 0; index < items.length; index++) {
      path.push(index);
      const refusal = visit(items[index] as JsonValue);
      if (refusal !== undefined) return refusal;
      path.pop();
    }
    return undefined;
  }

  const refusal = visit(value);
  return refusal === undefined ? { keys } : { keys, refusal };
}

/** The refusal of a forbidden key, or `undefined`. */
export function checkKey(key: string, path: readonly (string | number)[]): Refusal | undefined {
  if (key === '__proto__') {
    const field = formatPath(path);
    return refuse('forbidden_key', `${field} is not allowed as a key.`, { field });
  }
  return key.isWellFormed() ? undefined : refuseText(path);
}

/** The refusal for text with a lone surrogate: it has no UTF-8 form, so every hop would change it. */
export function refuseText(path: readonly (string | number)[]): Refusal {
  return refuse('invalid_field', `${where(path)} has an unpaired surrogate.`, {
    field: formatPath(path),
    expected: 'well-formed Unicode text',
  });
}

/** The refusal for a number without a JSON form, or one that overflows a double. */
export function refuseNumber(path: readonly (string | number)[], found: number): Refusal {
  return refuse('invalid_field', `${where(path)} is not a finite number: ${describe(found)}.`, {
    field: formatPath(path),
    found: describe(found),
    expected: 'a finite number',
  });
}

/** The position of a value, as the subject of a sentence. */
export function where(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'The value' : formatPath(path);
}
