import { expect, it } from 'vitest';
import { firstGap, type Stretch, scaled, seenHeight, withStretch } from './shown-version.js';

const seenOf = (...stretches: readonly Stretch[]): readonly Stretch[] =>
  stretches.reduce<readonly Stretch[]>(withStretch, []);

it('counts a part as shown only when all of it was visible', () => {
  const jumped = seenOf([0, 500], [1_500, 2_000]);
  expect(firstGap(jumped, 2_000)).toBe(500);
  expect(seenHeight(jumped, 2_000)).toBe(1_000);
  const read = seenOf([0, 500], [1_500, 2_000], [490, 1_502]);
  expect(read).toEqual([[0, 2_000]]);
  expect(firstGap(read, 2_000)).toBeUndefined();
  expect(seenHeight(read, 2_003)).toBe(2_003);
});

it('requires what was added at the end, and follows a resized window', () => {
  expect(firstGap(seenOf([0, 300]), 400)).toBe(300);
  expect(firstGap(scaled(seenOf([0, 300]), 2), 600)).toBeUndefined();
  expect(firstGap(seenOf([100, 300]), 300)).toBe(0);
  expect(firstGap([], 0)).toBeUndefined();
});
