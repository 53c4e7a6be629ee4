import { summarise } from '../statistics.js';

/** How a quantity developed over time. */
export interface Trend {
  /** By how much the line through the last half of the samples rises from one sample to the next. */
  readonly slope: number;
  /** How much that line rises from its beginning to its end, as a share of the median. */
  readonly growth: number;
  readonly isFlat: boolean;
}

/** What a line may rise over the last half and still count as flat: garbage collection leaves a little noise. */
const FLAT = 0.03;

/**
 * Fits a line through the last half of equally spaced samples. Caches fill and code is compiled in the first half;
 * what leaks goes on growing in the last.
 */
export function trendOf(samples: readonly number[]): Trend {
  const last = samples.slice(-Math.max(2, Math.ceil(samples.length / 2)));
  const middle = (last.length - 1) / 2;
  const mean = last.reduce((sum, one) => sum + one, 0) / last.length;
  let [covariance, variance] = [0, 0];
  for (const [place, one] of last.entries()) {
    covariance += (place - middle) * (one - mean);
    variance += (place - middle) ** 2;
  }
  const slope = covariance / variance;
  const growth = (slope * (last.length - 1)) / summarise(last).median;
  return { slope, growth, isFlat: growth < FLAT };
}
