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
