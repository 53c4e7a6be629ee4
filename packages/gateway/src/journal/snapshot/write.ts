import { encodeSessions, type Session } from '@proffer/core/negotiation';
import { encodeSpace, type SpaceState } from '@proffer/core/operations';
import { MADE_BY, type SnapshotLine } from './format.js';

/** The contents of a snapshot: each as of when it is added, whatever happens to it later. */
export interface SnapshotDraft {
  addSpace(space: SpaceState): void;
  /** Finished ones are left out. */
  addSessions(sessions: Iterable<Session>): void;
  /** Everything that was added, as texts of bounded size. Each is produced on demand, and then released. */
  pieces(): Iterable<string>;
}

/** The minimum characters of a chunk, except the last. It takes about a millisecond to make. */
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
