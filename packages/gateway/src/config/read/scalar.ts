import { formatPath, quote } from '@proffer/core/json';
import { isNothing, kindOf, nearest } from '@proffer/reading';
import { type Field, field } from './field.js';

/** What a text stands for, or why it stands for nothing. */
export type Parsed<Value> =
  | { readonly value: Value }
  | { readonly expected: string; readonly suggestion?: string | undefined };

/**
 * A key with one value, read from its text. A text that the parser does not take is a problem that
 * says what was found, unless `secret`, and what is expected.
 */
export function scalar<Value>(
  parse: (text: string, plain: boolean) => Parsed<Value>,
  expected: string,
  secrecy: 'public' | 'secret' = 'public',
): Field<Value> {
  return field((tree, path, report) => {
    if (tree.kind !== 'scalar' || isNothing(tree)) {
      report(tree.at, formatPath(path), `This is ${kindOf(tree)}; wanted: ${expected}.`);
      return undefined;
    }
    const parsed = parse(tree.text, tree.plain);
    if ('value' in parsed) return parsed.value;
    const found = secrecy === 'secret' ? 'This' : quote(tree.text);
    report(
      tree.at,
      formatPath(path),
      `${found} is not right; wanted: ${parsed.expected}.`,
      parsed.suggestion,
    );
    return undefined;
  });
}

/** Any text that is not empty. */
export function text(what: string): Field<string> {
  return scalar((found) => (found === '' ? { expected: what } : { value: found }), what);
}

/** `true` or `false`, without quotes. */
export function flag(): Field<boolean> {
  const expected = 'true or false';
  const looksLike = new Map([
    ['yes', 'true'],
    ['on', 'true'],
    ['1', 'true'],
    ['no', 'false'],
    ['off', 'false'],
    ['0', 'false'],
  ]);
  return scalar((found, plain) => {
    if (plain && (found === 'true' || found === 'false')) return { value: found === 'true' };
    const lower = found.toLowerCase();
    return { expected, suggestion: looksLike.get(lower) ?? nearest(lower, ['true', 'false']) };
  }, expected);
}

/** A whole number between two bounds, both allowed. */
export function wholeNumber(least: number, most: number): Field<number> {
  const expected = `a whole number from ${least} to ${most}`;
  return scalar((found, plain) => {
    const value = plain && /^\d{1,15}$/.test(found) ? Number(found) : Number.NaN;
    return value >= least && value <= most ? { value } : { expected };
  }, expected);
}

/** One of a few words. */
export function choice<Word extends string>(words: readonly Word[]): Field<Word> {
  const expected = `one of ${words.join(', ')}`;
  return scalar((found) => {
    const word = words.find((candidate) => candidate === found);
    return word === undefined ? { expected, suggestion: nearest(found, words) } : { value: word };
  }, expected);
}
