import { VersionedMap } from '../../collections/versioned-map.js';
import type { ServedList } from '../../envelope/kind.js';

/** What a request asked to list, and of whom; nobody in particular means everybody. */
export type AskedList = { readonly list: ServedList; readonly of: readonly string[] };

/** What is remembered of an accepted message, to recognise it when it comes again (O-3). */
export type Seen = {
  readonly from: string;
  readonly fingerprint: string;
  /** The record it became, so that the sender can be given the same answer. */
  readonly stream: string;
  readonly version: number;
  readonly time: number;
  /** For a request such as `tools/list`: what it asked to list, and of whom. */
  readonly asked?: AskedList;
};

/** An id that is taken, and by what. */
export type SeenId = readonly [id: string, seen: Seen];

/**
 * The ids of the last dedup window. Kept in two generations: when the newer one spans a window the
 * older one, now wholly outside, is dropped at once, so that forgetting costs nothing per message.
 */
export interface RecentIds {
  readonly newer: VersionedMap<Seen>;
  readonly older: VersionedMap<Seen>;
  /** When the newer generation began. */
  readonly since: number;
}

export const NO_RECENT_IDS: RecentIds = {
  newer: VersionedMap.empty(),
  older: VersionedMap.empty(),
  since: 0,
};

/** Remembers an accepted message. */
export function rememberId(ids: RecentIds, id: string, seen: Seen, window: number): RecentIds {
  const { newer, older: oldest, since } = ids;
  if (seen.time - since < window) return { newer: newer.set(id, seen), older: oldest, since };
  const older = seen.time - since < 2 * window ? newer : NO_RECENT_IDS.older;
  return { newer: NO_RECENT_IDS.newer.set(id, seen), older, since: seen.time };
}

/** Remembers those that are not known yet, unless they are so old that they would have been dropped. */
export function rememberMissing(ids: RecentIds, missing: readonly SeenId[], window: number): RecentIds {
  let next = ids;
  for (const [id, seen] of missing) {
    const isKnown = next.newer.has(id) || next.older.has(id) || seen.time + window <= next.since;
    if (!isKnown) next = rememberId(next, id, seen, window);
  }
  return next;
}

/** What an id was used for within the window before `now`. */
export function recallId(ids: RecentIds, id: string, now: number, window: number): Seen | undefined {
  const seen = ids.newer.get(id) ?? ids.older.get(id);
  return seen !== undefined && now - seen.time < window ? seen : undefined;
}
