import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';

/** The objects in a list; none if it is no list. */
export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

/** A text in an answer; empty if it is none. */
export function textIn(value: JsonObject, key: string): string {
  const text = value[key];
  return typeof text === 'string' ? text : '';
}

/** A number in an answer; 0 if it is none. */
export function numberIn(value: JsonObject, key: string): number {
  const number = value[key];
  return typeof number === 'number' ? number : 0;
}

/** An object in an answer; empty if it is none. */
export function partOf(value: JsonObject, key: string): JsonObject {
  const part = value[key];
  return isJsonObject(part) ? part : {};
}
