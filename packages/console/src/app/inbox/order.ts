import { newestFirst } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';

/** The sort order of pending proposals. */
export type Sort = 'newest' | 'least time left';

/**
 * Which of two comes first. Never 0 for two different ones: it is used to find positions in a sorted list.
 */
export type Order<Item> = (left: Item, right: Item) => number;

export const ORDERS: Readonly<Record<Sort, Order<Proposal>>> = {
  newest: newestFirst,
  'least time left': (left, right) => deadline(left) - deadline(right) || newestFirst(right, left),
};

/** A number, so that two without a deadline can be subtracted. */
const deadline = ({ expiresAt }: Proposal): number => expiresAt ?? Number.MAX_VALUE;

/** Adds an item to a sorted list. */
export function insert<Item>(list: Item[], item: Item, order: Order<Item>): void {
  list.splice(placeOf(list, item, order), 0, item);
}

/** Removes an item from a sorted list that contains it. */
export function remove<Item>(list: Item[], item: Item, order: Order<Item>): void {
  list.splice(placeOf(list, item, order), 1);
}

/** How many items of a sorted list come before one. */
function placeOf<Item>(list: readonly Item[], item: Item, order: Order<Item>): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(list[middle] as Item, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
