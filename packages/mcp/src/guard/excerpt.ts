import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core/json';

/** Approximate characters of an excerpt, and the maximum of one text in it. */
const MAX_COUNT = 1_000;
const MAX_OF_ONE = 200;
const MAX_LEVELS = 4;

/**
 * Enough of a JSON value to recognise it, in the same shape; omissions are marked with `…`. Costs no more for a large
 * value than for a small one.
 */
export function excerptOf(value: JsonValue): JsonValue {
  let left = MAX_COUNT;
  const shorten = (text: string): string => {
    const room = Math.max(0, Math.min(MAX_OF_ONE, left));
    left -= Math.min(text.length, room) + 4;
    return cutText(text, room);
  };
  const take = (inner: JsonValue, levels: number): JsonValue => {
    if (typeof inner === 'string') return shorten(inner);
    if (isJsonArray(inner)) {
      const kept: JsonValue[] = [];
      for (const item of levels > 0 ? inner : []) {
        if (left <= 0) break;
        kept.push(take(item, levels - 1));
      }
      return kept.length === inner.length ? kept : [...kept, `… (${inner.length} items)`];
    }
    if (!isJsonObject(inner)) {
      left -= 4;
      return inner;
    }
    const kept: [string, JsonValue][] = [];
    let isWhole = true;
    for (const key in inner) {
      if (!Object.hasOwn(inner, key)) continue;
      isWhole = left > 0 && levels > 0;
      if (!isWhole) break;
      const item = inner[key];
      if (item !== undefined) kept.push([shorten(key), take(item, levels - 1)]);
    }
    return Object.fromEntries(isWhole ? kept : [...kept, ['…', '…']]);
  };
  return take(value, MAX_LEVELS);
}

/** A text cut to a number of characters, then `…` and its length. Always well-formed. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  return `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`;
}
