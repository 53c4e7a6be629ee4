import { readChoice, readFlag, readScalar, readText, readWholeNumber } from '@proffer/reading';
import { type Field, field } from './field.js';

/** A key with one value, parsed from its text. */
export function scalar<Value>(...how: Parameters<typeof readScalar<Value>>): Field<Value> {
  return field(readScalar(...how));
}

/** A text that passes a test. @param show - `secret` if a wrong one must not be repeated in the message */
export function textThat(
  isRight: (found: string) => boolean,
  expected: string,
  show?: Parameters<typeof readScalar>[2],
): Field<string> {
  return scalar((found) => (isRight(found) ? { value: found } : { expected }), expected, show);
}

/** Any non-empty text. */
export function text(what: string): Field<string> {
  return field(readText(what));
}

/** `true` or `false`, without quotes. */
export function flag(): Field<boolean> {
  return field(readFlag);
}

/** A whole number within inclusive bounds. */
export function wholeNumber(least: number, most: number): Field<number> {
  return field(readWholeNumber(least, most));
}

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[]): Field<Word> {
  return field(readChoice(words));
}
