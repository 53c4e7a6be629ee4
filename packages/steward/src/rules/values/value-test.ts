import type { JsonValue } from '@proffer/core/json';
import type { ConditionResult } from '../conditions/condition.js';

/** A condition on a value. */
export interface ValueTest {
  /** For people, after "wanted:", as in `more than 1000`. */
  readonly expected: string;
  /** `undefined` means an absent argument. */
  readonly judge: (value: JsonValue | undefined) => ConditionResult;
}

/** Holds if all hold; in doubt if none fails and one is in doubt. */
export function allOf<Item>(items: Iterable<Item>, judge: (item: Item) => ConditionResult): ConditionResult {
  let verdict: ConditionResult = 'yes';
  for (const item of items) {
    const one = judge(item);
    if (one === 'no') return 'no';
    if (one === 'doubt') verdict = 'doubt';
  }
  return verdict;
}

/** Holds if one holds; in doubt if none holds and one is in doubt. */
export function anyOf<Item>(items: Iterable<Item>, judge: (item: Item) => ConditionResult): ConditionResult {
  return opposite(allOf(items, (item) => opposite(judge(item))));
}

/** Doubt stays doubt. */
export function opposite(verdict: ConditionResult): ConditionResult {
  if (verdict === 'doubt') return 'doubt';
  return verdict === 'yes' ? 'no' : 'yes';
}

export const COMPARISONS = ['gt', 'gte', 'lt', 'lte'] as const;
type Comparison = (typeof COMPARISONS)[number];

const HOLDS: Readonly<Record<Comparison, (value: number, bound: number) => boolean>> = {
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
};

const WORDS: Readonly<Record<Comparison, string>> = {
  gt: 'more than',
  gte: 'at least',
  lt: 'less than',
  lte: 'at most',
};

/**
 * Holds for numbers on one side of a bound. Servers also take texts for numbers, so other types are
 * in doubt.
 */
export function comparisonTest(comparison: Comparison, bound: number): ValueTest {
  return numberTest(`${WORDS[comparison]} ${bound}`, (value) => HOLDS[comparison](value, bound));
}

/** Holds for numbers between two bounds, both inclusive. */
export function rangeTest([from, to]: readonly [number, number]): ValueTest {
  return numberTest(`from ${from} to ${to}`, (value) => value >= from && value <= to);
}

function numberTest(expected: string, holds: (value: number) => boolean): ValueTest {
  return {
    expected: `a number ${expected}`,
    judge: (value) => {
      if (value === undefined) return 'no';
      if (typeof value !== 'number') return 'doubt';
      return holds(value) ? 'yes' : 'no';
    },
  };
}

/** Whether no number satisfies all of these bounds. */
export function isEmptyRange(bounds: ReadonlyMap<string, number>): boolean {
  const { gt, gte, lt, lte } = Object.fromEntries(bounds);
  const low = Math.max(gt ?? -Infinity, gte ?? -Infinity);
  const high = Math.min(lt ?? Infinity, lte ?? Infinity);
  return low > high || (low === high && (low === gt || high === lt));
}
