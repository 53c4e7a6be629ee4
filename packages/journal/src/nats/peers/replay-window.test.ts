import { expect, it } from 'vitest';
import { ReplayWindow } from './peer-channel.js';

it('I-9: each message of a sender counts once, in any order, and not after very many others', () => {
  const window = new ReplayWindow();
  expect([1, 2, 5, 3, 5, 4, 1].map((count) => window.take(count))).toEqual([
    true,
    true,
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(window.take(10_000)).toBe(true);
  expect(window.take(6)).toBe(false);
  expect(window.take(9_500)).toBe(true);
  expect(window.take(9_500)).toBe(false);
  for (const count of [Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY]) expect(window.take(count)).toBe(false);
});
