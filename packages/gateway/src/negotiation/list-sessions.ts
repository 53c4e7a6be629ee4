import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeSession, mayRead, type NegotiationPrincipal, type SessionMetadata } from '@proffer/core';
import type { SessionList } from './runtime.js';
import type { Sessions } from './sessions.js';

/** The longest list of sessions, in sessions. */
const MOST_LISTED = 1_000;

/** The largest, in bytes of JSON: clients of gRPC read four megabytes unless they are told otherwise (I-7). */
const LARGEST_LIST = 3_145_728;

/** Others have their turn after about so many bytes. */
const PIECE = 65_536;

/** The newest sessions that a principal may read, as many as one answer holds, the oldest of them first. */
export async function listSessions(
  sessions: Sessions,
  principal: NegotiationPrincipal,
  clock: () => number,
): Promise<SessionList> {
  const ids = sessions.readableBy(principal);
  const listed: SessionMetadata[] = [];
  let left = ids.length;
  let size = 0;
  let piece = 0;
  for (; left > 0 && listed.length < MOST_LISTED; left--) {
    const session = sessions.now(ids[left - 1] ?? '');
    if (session === undefined || !mayRead(session, principal)) continue;
    const metadata = describeSession(session, clock());
    const bytes = Buffer.byteLength(JSON.stringify(metadata));
    if (listed.length > 0 && size + bytes > LARGEST_LIST) break;
    listed.push(metadata);
    size += bytes;
    piece += bytes;
    if (piece < PIECE) continue;
    piece = 0;
    await nextTurn();
  }
  return { sessions: listed.reverse(), more: left };
}
