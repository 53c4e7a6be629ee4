import type { JsonValue } from '@proffer/core/json';
import type { Verdict } from '../condition.js';

/** What a value must be. */
export interface ValueTest {
  /** For people, after "wanted:", as in `more than 1000`. */
  readonly expected: string;
  /** `undefined` means an absent argument. */
  readonly judge: (value: JsonValue | undefined) => Verdict;
}

/** Holds when all do; in doubt when none fails and one is in doubt. */
export function allOf<Item>(items: Iterable<Item>, judge: (item: Item) => Verdict): Verdict {
  let verdict: Verdict = 'yes';
  for (const item of items) {
    const one = judge(item);
    if (one === 'no') return 'no';
    if (one === 'doubt') verdict = 'doubt';
  }
  return verdict;
}

/** Holds when one does; in doubt when none does and one is in doubt. */
export function anyOf<Item>(items: Iterable<Item>, judge: (item: Item) => Verdict): Verdict {
  return opposite(allOf(items, (item) => opposite(judge(item))));
}

/** What is in doubt stays in doubt. */
export function opposite(verdict: Verdict): Verdict {
  if (verdict === 'doubt') return 'doubt';
  return verdict === 'yes' ? 'no' : 'yes';
}
