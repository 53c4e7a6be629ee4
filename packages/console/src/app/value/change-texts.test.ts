import { changeTexts } from '@proffer/core/json';
import { expect, it } from 'vitest';
import { shapeOf } from './shape.js';

it('O-13: shows a change of type as a change, and a plain text without quotes', () => {
  expect(changeTexts('false', false)).toEqual({ before: '"false"', after: 'false' });
  expect(changeTexts(null, 'null')).toEqual({ before: 'null', after: '"null"' });
  expect(changeTexts('1', '2')).toEqual({ before: '"1"', after: '"2"' });
  expect(changeTexts(undefined, '')).toEqual({ before: '', after: '""' });
  expect(changeTexts('hello', 'goodbye')).toEqual({ before: 'hello', after: 'goodbye' });
});

it('an argument that is text does not look like a number, a truth value or nothing', () => {
  const shown = (value: string | number | boolean | null) => shapeOf('n', value);
  for (const value of [1, true, false, null]) {
    expect(shown(String(value))).toMatchObject({ text: JSON.stringify(String(value)) });
    expect(shown(value)).toMatchObject({ text: JSON.stringify(value) });
  }
  expect(shown('/etc/hosts')).toMatchObject({ text: '/etc/hosts' });
});
