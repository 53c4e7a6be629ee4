import { describe } from '../json/describe.js';
import { formatPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.js';

/** A place in a payload pattern that no payload can match. */
export interface NeverMatches {
  /** As in `params.name`. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/** Payloads always have text here, so a list is not a pattern for a list. */
const TEXTS: ReadonlySet<string> = new Set(['method', 'params.name', 'params.uri']);

const REGEX = /^\/(?=.*(?:[$^|+?()[\]\\]|\.\*)).*\/[a-z]*$/;

/**
 * Finds parts of a payload pattern that look like another pattern language and would be taken
 * literally, so that the capability would never grant anything: negations, regexes, JSONPath, stars
 * in keys, lists of choices.
 */
export function neverMatches(pattern: JsonObject): NeverMatches | undefined {
  return findIn(pattern, []);
}

function findIn(value: JsonValue, path: readonly (string | number)[]): NeverMatches | undefined {
  const at = formatPath(path);
  const never = (expected: string) => ({ path: at, found: describe(value), expected });
  if (typeof value === 'string') {
    if (value.startsWith('!')) return never('a pattern to grant; capabilities cannot be negated');
    return REGEX.test(value)
      ? never('a text in which * and ** are wildcards; capabilities have no regex')
      : undefined;
  }
  if (isJsonArray(value)) {
    if (TEXTS.has(at)) return never('one text; write a capability for each of several');
    return firstOf(value.map((item, index) => findIn(item, [...path, index])));
  }
  if (!isJsonObject(value)) return undefined;
  return firstOf(
    Object.entries(value).map(([key, child]) => {
      const isOdd = key.includes('*') || /^\$[.[]/.test(key);
      if (isOdd)
        return { path: at, found: describe(key), expected: 'the name of a field, without wildcards' };
      return child === undefined ? undefined : findIn(child, [...path, key]);
    }),
  );
}

function firstOf(found: readonly (NeverMatches | undefined)[]): NeverMatches | undefined {
  return found.find((one) => one !== undefined);
}
