import { describe, expect, it } from 'vitest';
import { trendOf } from './trend.js';

describe('the trend of a quantity', () => {
  it('is flat where it levels off, whatever it did before', () => {
    expect(trendOf([10, 14, 17, 19, 20, 20.1, 20, 20.05, 20.1, 20])).toMatchObject({ isFlat: true });
  });

  it('is not flat where it goes on growing, and says how fast', () => {
    const { slope, growth, isFlat } = trendOf([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(slope).toBeCloseTo(1);
    expect(growth).toBeCloseTo(4 / 17);
    expect(isFlat).toBe(false);
  });

  it('is flat where it shrinks', () => {
    expect(trendOf([20, 19, 18, 17])).toMatchObject({ isFlat: true });
  });
});
