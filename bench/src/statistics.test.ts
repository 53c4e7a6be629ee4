import { expect, it } from 'vitest';
import { summarise } from './statistics.js';

it('returns the median and the middle 80 % of unsorted samples', () => {
  const samples = [5, 1, 9, 3, 7, 2, 10, 8, 6, 4, 0];
  expect(summarise(samples)).toEqual({ median: 5, spread: { p10: 1, p90: 9, samples: 11 } });
});

it('interpolates if no sample is in the middle', () => {
  expect(summarise([1, 2]).median).toBe(1.5);
});
