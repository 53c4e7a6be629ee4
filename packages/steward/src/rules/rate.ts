import { describe, formatPath } from '@proffer/core/json';
import { type ValueReader } from '@proffer/reading';

/** How many calls a rule may allow within a period. */
export interface RuleRate {
  readonly calls: number;
  /** Milliseconds. */
  readonly within: number;
  /** As written. */
  readonly text: string;
}

const UNITS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};
const WRITTEN = /^(\d{1,6}) per (?:(\d{1,4}) )?(second|minute|hour|day)s?$/;
const MAX_CALLS = 100_000;

/** Reads `20 per hour` or `5 per 10 minutes`. */
export const readRate: ValueReader<RuleRate> = (tree, path, report) => {
  const text = tree.kind === 'scalar' ? String(tree.value).trim() : '';
  const [, calls, count = '1', unit = ''] = WRITTEN.exec(text) ?? [];
  const rate = { calls: Number(calls), within: Number(count) * (UNITS[unit] ?? 0), text };
  if (rate.calls >= 1 && rate.calls <= MAX_CALLS && rate.within > 0) return rate;
  const found = tree.kind === 'scalar' ? describe(tree.value) : 'This';
  const message = `${found} is not a rate; expected 20 per hour, or 5 per 10 minutes; at most ${MAX_CALLS} calls.`;
  report(tree.at, formatPath(path), message);
  return undefined;
};
