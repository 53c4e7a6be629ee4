import { type JsonObject, objectOf, textOf } from '@proffer/core/json';

/** A text in an answer; empty if it is not text. */
export function textIn(value: JsonObject, key: string): string {
  return textOf(value[key]);
}

/** A number in an answer; 0 if it is not a number. */
export function numberIn(value: JsonObject, key: string): number {
  const number = value[key];
  return typeof number === 'number' ? number : 0;
}

/** An object in an answer; empty if it is not an object. */
export function partOf(value: JsonObject, key: string): JsonObject {
  return objectOf(value[key]);
}
