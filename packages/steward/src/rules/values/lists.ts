import { isJsonArray } from '@proffer/core/json';
import { allOf, anyOf, type ValueTest } from './value-test.js';

/** Holds for a list in which every item passes, including an empty one. Anything but a list is in doubt. */
export function everyTest(item: ValueTest): ValueTest {
  return listTest(`a list in which every item is ${item.expected}`, (items) => allOf(items, item.judge));
}

/** Holds for a list in which some item passes. Anything but a list is in doubt. */
export function someTest(item: ValueTest): ValueTest {
  return listTest(`a list in which some item is ${item.expected}`, (items) => anyOf(items, item.judge));
}

function listTest(
  expected: string,
  judge: (items: readonly Parameters<ValueTest['judge']>[0][]) => ReturnType<ValueTest['judge']>,
): ValueTest {
  return {
    expected,
    judge: (value) => {
      if (value === undefined) return 'no';
      return isJsonArray(value) ? judge(value) : 'doubt';
    },
  };
}

/**
 * Judges the number of characters in a text, or of items in a list. Anything without a length is in
 * doubt.
 */
export function lengthTest(length: ValueTest): ValueTest {
  return {
    expected: `a text or a list whose length is ${length.expected}`,
    judge: (value) => {
      if (value === undefined) return 'no';
      if (isJsonArray(value)) return length.judge(value.length);
      return typeof value === 'string' ? length.judge(countCharacters(value)) : 'doubt';
    },
  };
}

/** Characters, not UTF-16 units: an emoji is one. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
