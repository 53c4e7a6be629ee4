import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.js';

// Fields of JSON that somebody else wrote, where whatever is not of the wanted kind counts as absent. What must be
// told apart from absent is checked, with a refusal, where messages are validated.

/** The text; empty where there is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The object; an empty one where there is none. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The list; an empty one where there is none. */
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
