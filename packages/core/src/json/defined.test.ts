import { expect, it } from 'vitest';
import { defined } from './defined.js';

it('leaves out what is undefined, and keeps every other value', () => {
  const reason: string | undefined = undefined;
  expect(Object.entries(defined({ reason, empty: '', zero: 0, no: false, nothing: null }))).toEqual([
    ['empty', ''],
    ['zero', 0],
    ['no', false],
    ['nothing', null],
  ]);
});
