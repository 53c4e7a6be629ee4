import { createRequire } from 'node:module';
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@proffer/core/json';
import { fault, type SchemaCheck, spendOn } from './check.js';
import type { Compiler } from './compile.js';

/** Whether a text matches. */
export type Pattern = (text: string) => boolean;

const require = createRequire(import.meta.url);

/**
 * A pattern that matches in linear time: schemas come from anyone. Loaded when the first one is needed, which
 * most tools never do.
 *
 * @throws if it is invalid, or needs backtracking
 */
export function compilePattern(source: string): Pattern {
  const { RE2JS } = require('re2js') as typeof import('re2js');
  const compiled = RE2JS.compile(source);
  return (text) => compiled.test(text);
}

/** Checks for keywords that apply to any value, to numbers and to text. */
export function scalarChecks(part: JsonObject, { pattern }: Compiler): readonly SchemaCheck[] {
  const checks: SchemaCheck[] = [];
  const { type, enum: choices, const: only } = part;
  if (type !== undefined) checks.push(typeCheck(type));
  if (isJsonArray(choices)) checks.push(oneOf(choices));
  if (only !== undefined) checks.push(oneOf([only]));
  number(part, checks);
  const { minLength, maxLength, pattern: source } = part;
  if (typeof minLength === 'number' || typeof maxLength === 'number') {
    const least = typeof minLength === 'number' ? minLength : 0;
    const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
    checks.push((value, path, run) => {
      if (typeof value !== 'string') return;
      spendOn(run, value);
      const { length } = Array.from(value);
      if (length < least || length > most) fault(run, path, value, `${range(least, most)} characters`);
    });
  }
  if (typeof source === 'string') {
    const matches = pattern(source);
    checks.push((value, path, run) => {
      if (typeof value !== 'string') return;
      spendOn(run, value);
      if (!matches(value)) fault(run, path, value, `text that matches ${source}`);
    });
  }
  return checks;
}

function number(part: JsonObject, checks: SchemaCheck[]): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = part;
  const compare = (
    limit: JsonValue | undefined,
    words: string,
    isFine: (value: number, limit: number) => boolean,
  ) => {
    if (typeof limit !== 'number') return;
    checks.push((value, path, run) => {
      if (typeof value === 'number' && !isFine(value, limit)) fault(run, path, value, `${words} ${limit}`);
    });
  };
  compare(minimum, 'at least', (value, limit) => value >= limit);
  compare(maximum, 'at most', (value, limit) => value <= limit);
  compare(exclusiveMinimum, 'more than', (value, limit) => value > limit);
  compare(exclusiveMaximum, 'less than', (value, limit) => value < limit);
  compare(multipleOf, 'a multiple of', (value, limit) => {
    const times = value / limit;
    return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
  });
}

const TYPES: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: isJsonArray,
  object: isJsonObject,
};

const isKnown = (name: JsonValue): name is string => typeof name === 'string' && Object.hasOwn(TYPES, name);

function typeCheck(type: JsonValue): SchemaCheck {
  const names = isJsonArray(type) ? type : [type];
  const known = [...new Set(names.filter(isKnown))];
  const hasUnknown = !names.every(isKnown);
  const expected = known.map((name) => `${/^[aio]/.test(name) ? 'an' : 'a'} ${name}`).join(' or ');
  return (value, path, run) => {
    const isFine = hasUnknown || known.some((name) => TYPES[name]?.(value) === true);
    if (!isFine) fault(run, path, value, expected.replace('a null', 'null'));
  };
}

function oneOf(choices: readonly JsonValue[]): SchemaCheck {
  const expected = choices.map((choice) => JSON.stringify(choice)).join(', ');
  const words = choices.length === 1 ? expected : `one of ${expected}`;
  // The cost is proportional to the length of the value, however many or long the choices are.
  const texts = new Set(choices.map(canonicalJson));
  return (value, path, run) => {
    const text = canonicalJson(value);
    spendOn(run, text);
    if (!texts.has(text)) fault(run, path, value, words);
  };
}

/** `2 to 5`, `at least 2`, `at most 5`. */
export function range(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}
