import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';

/** The placeholder for redacted values. */
export const REDACTED = '[redacted]';

/**
 * Removes the fields that must never appear in a notification. A path is dot-separated names,
 * relative to the arguments; `*` matches any single name or list index.
 */
export function redact(params: JsonObject, paths: readonly string[]): JsonObject {
  return paths.reduce<JsonObject>((redacted, path) => {
    return without(redacted, ['arguments', ...path.split('.')]) as JsonObject;
  }, params);
}

function without(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue {
  if (name === undefined) return REDACTED;
  const isMeant = (key: string): boolean => name === '*' || name === key;
  if (isJsonArray(value)) {
    return value.map((item, index) => (isMeant(String(index)) ? without(item, rest) : item));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      item !== undefined && isMeant(key) ? without(item, rest) : item,
    ]),
  );
}
