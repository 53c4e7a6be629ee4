import type { ServedList } from '../../envelope/kind.js';
import { type Generations, isRemembered, recall, remember } from './generations.js';

/** What a request asked to list, and from whom; empty means everyone. */
export type AskedList = { readonly list: ServedList; readonly of: readonly string[] };

/** What is remembered about an accepted message, to recognise a repeat (O-3). */
export type RememberedMessage = {
  readonly from: string;
  readonly fingerprint: string;
  /** The record it became, so that the sender can be given the same answer. */
  readonly stream: string;
  readonly version: number;
  readonly time: number;
  /** For a request such as `tools/list`: what it asked to list, and from whom. */
  readonly asked?: AskedList;
};

/** A taken id, and what it was used for. */
export type TakenId = readonly [id: string, seen: RememberedMessage];

/** The ids of the last dedup window. */
export type RecentIds = Generations<RememberedMessage>;

/** Remembers an accepted message. */
export function rememberId(ids: RecentIds, id: string, seen: RememberedMessage, window: number): RecentIds {
  return remember(ids, [id, seen], { time: seen.time, window });
}

/** Remembers unknown ones, unless they are so old that they would have been dropped. */
export function rememberMissing(ids: RecentIds, missing: readonly TakenId[], window: number): RecentIds {
  let next = ids;
  for (const [id, seen] of missing) {
    const isKnown = recall(next, id) !== undefined || !isRemembered(next, seen.time, window);
    if (!isKnown) next = rememberId(next, id, seen, window);
  }
  return next;
}

/** What an id was used for within the window before `now`. */
export function recallId(
  ids: RecentIds,
  id: string,
  now: number,
  window: number,
): RememberedMessage | undefined {
  const seen = recall(ids, id);
  return seen !== undefined && now - seen.time < window ? seen : undefined;
}
