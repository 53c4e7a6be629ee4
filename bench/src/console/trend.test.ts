import { describe, expect, it } from 'vitest';
import { trendOf } from './trend.js';

describe('trend of a quantity', () => {
  it('is flat if it levels off, whatever came before', () => {
    expect(trendOf([10, 14, 17, 19, 20, 20.1, 20, 20.05, 20.1, 20])).toMatchObject({ isFlat: true });
  });

  it('is not flat if it keeps growing, and reports the rate', () => {
    const { slope, growth, isFlat } = trendOf([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(slope).toBeCloseTo(1);
    expect(growth).toBeCloseTo(4 / 17);
    expect(isFlat).toBe(false);
  });

  it('is flat if it shrinks', () => {
    expect(trendOf([20, 19, 18, 17])).toMatchObject({ isFlat: true });
  });
});
