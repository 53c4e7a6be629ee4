import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeSession, mayRead, type SessionCaller } from '@proffer/core/negotiation';
import type { ReadableSessions, ToForm } from '../runtime.js';
import { inListOrder, type ListedSession } from './session-index.js';
import type { Sessions } from './sessions.js';

/** The largest list, in bytes: gRPC clients read four megabytes by default (I-7). */
const LARGEST_LIST = 4_000_000;

/** Others get a turn after this many sessions, or about this many bytes. */
const AT_ONCE = 64;
const PIECE = 65_536;

/** Which of the sessions a list has. */
export interface ListPage {
  /** How many at most. Default: as many as fit. */
  readonly limit?: number;
  /** The `next` of the page before it, which has newer ones. Default: with the newest. */
  readonly before?: ListedSession;
}

export interface Listing<Form> extends ListPage {
  readonly rights: SessionCaller;
  readonly clock: () => number;
  readonly toForm: ToForm<Form>;
  /** Whether the list is no longer wanted. */
  readonly isOver: () => boolean;
}

/** How many lists are made at a time: each is in memory until it is done (I-7). */
export const LISTS_AT_ONCE = 2;

/** The newest sessions that a caller may read, as many as one answer holds, oldest of them first. */
export async function listSessions<Form>(
  sessions: Sessions,
  { rights, clock, toForm, isOver, before, limit = Number.POSITIVE_INFINITY }: Listing<Form>,
): Promise<ReadableSessions<Form>> {
  const all = sessions.readableBy(rights);
  const listed: Form[] = [];
  let oldest: ListedSession | undefined;
  let left = before === undefined ? all.length : countBefore(all, before);
  let size = 0;
  let piece = 0;
  for (; left > 0 && listed.length < limit && !isOver(); left--) {
    const session = sessions.now(all[left - 1]?.id ?? '');
    if (session === undefined || !mayRead(session, rights)) continue;
    const { value, bytes } = toForm(describeSession(session, clock()));
    if (listed.length > 0 && size + bytes > LARGEST_LIST) break;
    oldest = all[left - 1];
    size += bytes;
    piece += bytes;
    if (listed.push(value) % AT_ONCE !== 0 && piece < PIECE) continue;
    piece = 0;
    await nextTurn();
  }
  return {
    sessions: listed.reverse(),
    more: left,
    ...(left > 0 && oldest !== undefined ? { next: oldest } : {}),
  };
}

/** How many come before a place in the list, whether or not the session that was there still exists. */
function countBefore(all: readonly ListedSession[], place: ListedSession): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = all[middle];
    if (found !== undefined && inListOrder(found, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
