import type { JsonObject, JsonValue } from '@proffer/core/json';

/** The entries of an object, in its order. */
export function entriesOf(object: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
}
