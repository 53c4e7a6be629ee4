import type { JsonValue } from './json.js';

/**
 * Both sides of a change as text, in one notation: without quotes only if no text among them could be taken for another
 * value. Otherwise a change from `"1"` to `1` would look like none.
 */
export function changeTexts(before: JsonValue | undefined, after: JsonValue | undefined) {
  const isPlain = [before, after].every((value) => value === undefined || isPlainText(value));
  const show = (value: JsonValue | undefined): string => {
    if (value === undefined) return '';
    return isPlain && typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  };
  return { before: show(before), after: show(after) };
}

function isPlainText(value: JsonValue): boolean {
  return typeof value === 'string' && value !== '' && unmistakable(value) === value;
}

/** A text as shown: in quotes if it would look like another value without them, such as `"1"` or `"false"`. */
export function unmistakable(text: string): string {
  try {
    const value = JSON.parse(text) as JsonValue;
    return value === null || typeof value !== 'object' ? JSON.stringify(text) : text;
  } catch {
    return text;
  }
}
