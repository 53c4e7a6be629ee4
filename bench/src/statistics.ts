import type { Spread } from './benchmark.js';

/** The median and the middle 80 % of some samples. There must be at least one. */
export function summarise(samples: readonly number[]): { readonly median: number; readonly spread: Spread } {
  const sorted = [...samples].sort((left, right) => left - right);
  return {
    median: quantile(sorted, 0.5),
    spread: { p10: quantile(sorted, 0.1), p90: quantile(sorted, 0.9), samples: sorted.length },
  };
}

/** The value below which a fraction of the samples lies, interpolated. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new Error('no samples');
  return below + (above - below) * (position - Math.floor(position));
}
