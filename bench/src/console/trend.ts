import { summarise } from '../statistics.js';

/** How a quantity changes over time. */
export interface Trend {
  /** The rise per sample of the line through the last half of the samples. */
  readonly slope: number;
  /** The total rise of that line, as a fraction of the median. */
  readonly growth: number;
  readonly isFlat: boolean;
}

/** How much the line may rise and still count as flat: garbage collection leaves some noise. */
const FLAT = 0.03;

/**
 * Fits a line through the last half of equally spaced samples. The first half includes caches filling and
 * code being compiled; a leak keeps growing in the second.
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
