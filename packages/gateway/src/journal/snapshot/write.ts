import { encodeSessions, type Session } from '@proffer/core/negotiation';
import { encodeSpace, type SpaceState } from '@proffer/core/operations';
import { MADE_BY, type SnapshotLine } from './format.js';

/** What goes into a snapshot: each as it is when it is added, whatever becomes of it later. */
export interface SnapshotDraft {
  addSpace(space: SpaceState): void;
  /** Those that are over are left out. */
  addSessions(sessions: Iterable<Session>): void;
  /** All that was added, as texts of bounded size. Each is made when it is asked for, and then let go. */
  pieces(): Iterable<string>;
}

/** A piece has at least so many characters, unless it is the last. It takes about a millisecond to make. */
const PIECE = 65_536;

export function createDraft(): SnapshotDraft {
  const parts: Iterable<SnapshotLine>[] = [[['by', MADE_BY]]];
  return {
    addSpace(space) {
      const { name, dedupWindow } = space.settings;
      parts.push([['space', name, { dedupWindow }]], encodeSpace(space));
    },
    addSessions(sessions) {
      parts.push(encodeSessions([...sessions]));
    },
    *pieces() {
      let piece = '';
      for (let some = parts.shift(); some !== undefined; some = parts.shift()) {
        for (const line of some) {
          piece += `${JSON.stringify(line)}\n`;
          if (piece.length < PIECE) continue;
          yield piece;
          piece = '';
        }
      }
      if (piece !== '') yield piece;
    },
  };
}
