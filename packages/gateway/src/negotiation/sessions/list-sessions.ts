import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeSession, mayRead, type SessionCaller } from '@proffer/core/negotiation';
import type { ReadableSessions, ToForm } from '../runtime.js';
import type { Sessions } from './sessions.js';

/** The largest list, in bytes: gRPC clients read four megabytes by default (I-7). */
const LARGEST_LIST = 4_000_000;

/** Others get a turn after this many sessions, or about this many bytes. */
const AT_ONCE = 64;
const PIECE = 65_536;

export interface Listing<Form> {
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
  { rights, clock, toForm, isOver }: Listing<Form>,
): Promise<ReadableSessions<Form>> {
  const ids = sessions.readableBy(rights);
  const listed: Form[] = [];
  let left = ids.length;
  let size = 0;
  let piece = 0;
  for (; left > 0 && !isOver(); left--) {
    const session = sessions.now(ids[left - 1] ?? '');
    if (session === undefined || !mayRead(session, rights)) continue;
    const { value, bytes } = toForm(describeSession(session, clock()));
    if (listed.length > 0 && size + bytes > LARGEST_LIST) break;
    size += bytes;
    piece += bytes;
    if (listed.push(value) % AT_ONCE !== 0 && piece < PIECE) continue;
    piece = 0;
    await nextTurn();
  }
  return { sessions: listed.reverse(), more: left };
}
