import { describe } from '../json/describe.js';
import { formatPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.js';
import { failure, type Refusal, type Result, refuse, success } from '../refusal/refusal.js';
import { type Lookalike, lookalikesOf, matchForDeny, type Strictness } from './deny-match.js';
import { countWildcards, MAX_WILDCARDS } from './glob.js';
import { MAX_PATTERN_LENGTH } from './kind-pattern.js';
import { compilePathGlob, matchPathGlob } from './path-guard.js';

/** Whether a payload, or a part of one, matches the pattern. */
export type PayloadMatcher = (value: JsonValue) => boolean;

const SEPARATORS = '/\\';

/**
 * Parses a pattern over payloads (O-8).
 *
 * - An object matches if each of its keys is present and matches; further keys do not matter, unless
 *   they may be mistaken for one of these ({@link lookalikesOf}): then it is in doubt.
 * - An array matches element by element, with equal length.
 * - A text matches text: `*` is any text, or none, within a path segment, `**` across segments, both
 *   only if the result is a plain path ({@link compilePathGlob}); `**` alone matches anything
 *   present. Stars know paths, not URLs: write hosts out, since `https://*.example.org/` also covers
 *   `x.test#.example.org/`.
 * - Numbers, booleans and null match equal values.
 *
 * Refuses texts over {@link MAX_PATTERN_LENGTH}, more than two stars in a row, more than {@link
 * MAX_WILDCARDS} wildcards in a text, and a path pattern that could never match.
 *
 * @param reading - `narrow` for patterns that grant: in doubt they do not match; `wide` for patterns
 * that forbid: in doubt they match ({@link matchForDeny})
 * @param negations - `negatable`: `!` and a pattern matches every other text; what could be mistaken for
 * the pattern does not match, and neither does a missing value
 */
export function parsePayloadPattern(
  pattern: JsonObject,
  field: string,
  reading: Strictness = 'narrow',
  negations: 'literal' | 'negatable' = 'literal',
): Result<PayloadMatcher> {
  const path: (string | number)[] = [];
  let refusal: Refusal | undefined;

  function compile(value: JsonValue, step: string | number): PayloadMatcher {
    path.push(step);
    const matcher = compileValue(value);
    path.pop();
    return matcher;
  }

  function compileValue(value: JsonValue): PayloadMatcher {
    if (typeof value === 'string') return compileText(value);
    if (isJsonArray(value)) return compileItems(value);
    if (isJsonObject(value)) return compileProperties(value);
    return (found) => found === value;
  }

  function compileProperties(object: JsonObject): PayloadMatcher {
    const matchers = Object.entries(object).flatMap(([key, value]): [string, PayloadMatcher][] =>
      value === undefined ? [] : [[key, compile(value, key)]],
    );
    const lookalikesIn = lookalikesOf(matchers.map(([key]) => key));
    return (found) => {
      if (!isJsonObject(found)) return false;
      const lookalikes = lookalikesIn(found);
      if (reading === 'narrow' && lookalikes.length > 0) return false;
      return matchers.every(([key, matches]) => {
        const value = Object.hasOwn(found, key) ? found[key] : undefined;
        return (value !== undefined && matches(value)) || isTakenFor(key, lookalikes, found, matches);
      });
    };
  }

  function compileItems(items: readonly JsonValue[]): PayloadMatcher {
    const matchers = items.map(compile);
    return (found) =>
      isJsonArray(found) &&
      found.length === matchers.length &&
      matchers.every((matches, index) => matches(found[index] as JsonValue));
  }

  function compileText(text: string): PayloadMatcher {
    if (negations === 'literal' || !isNegation(text)) return compileGlob(text, reading);
    const negated = text.slice(1);
    if (negated === '' || negated === '**' || isNegation(negated))
      return stop(text, '! and the text to leave out');
    const matches = compileGlob(negated, reading === 'narrow' ? 'wide' : 'narrow');
    return (found) => typeof found === 'string' && !matches(found);
  }

  function compileGlob(text: string, strictness: Strictness): PayloadMatcher {
    if (text.length > MAX_PATTERN_LENGTH) return stop(text, `at most ${MAX_PATTERN_LENGTH} characters`);
    if (text.includes('***')) return stop(text, '* within a path segment, ** across segments');
    if (countWildcards(text) > MAX_WILDCARDS) return stop(text, `at most ${MAX_WILDCARDS} wildcards`);
    if (text === '**') return () => true;
    const glob = compilePathGlob(text, SEPARATORS);
    if (glob === undefined) {
      return stop(text, 'no dot segments, empty segments or encoded ones at or after the first star');
    }
    if (strictness === 'wide') return matchForDeny(text, glob.glob);
    if (!text.includes('*')) return (found) => found === text;
    return (found) => typeof found === 'string' && matchPathGlob(glob, found);
  }

  function stop(text: string, expected: string): PayloadMatcher {
    const steps = formatPath(path);
    const at = steps.startsWith('[') ? `${field}${steps}` : `${field}.${steps}`;
    const found = describe(text);
    refusal ??= refuse('invalid_field', `${at} is not a pattern: ${found}.`, { field: at, found, expected });
    return () => false;
  }

  const matcher = compileProperties(pattern);
  return refusal === undefined ? success(matcher) : failure(refusal);
}

/** Whether a text in a capability means every other text. */
export function isNegation(text: string): boolean {
  return text.startsWith('!');
}

/** Whether a value that some parser may read under a key matches. */
function isTakenFor(
  wanted: string,
  lookalikes: readonly Lookalike[],
  found: JsonObject,
  matches: PayloadMatcher,
): boolean {
  return lookalikes.some(({ key, meant }) => {
    const value = found[key];
    return value !== undefined && meant.includes(wanted) && matches(value);
  });
}
