import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.js';

// Readers for fields of foreign JSON: a value of the wrong type counts as absent. If that is an
// error, validation has refused the message before.

/** The text; empty if there is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The object; an empty one if there is none. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The list; an empty one if there is none. */
export function listOf(value: unknown): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

/** The objects in a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isJsonObject);
}

/** The texts in a list. */
export function textsIn(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

/**
 * Entries in the order of some names, the rest after them as they are. Records sort names; the schema of a tool lists them
 * in an order that means something.
 */
export function inOrderOf<Value>(
  names: readonly string[],
  entries: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] {
  const place = (name: string): number => {
    const found = names.indexOf(name);
    return found === -1 ? names.length : found;
  };
  return [...entries].sort(([left], [right]) => place(left) - place(right));
}
