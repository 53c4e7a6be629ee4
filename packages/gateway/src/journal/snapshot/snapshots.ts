import { encodeSessions, type Session } from '@proffer/core/negotiation';
import { encodeSpace, type SpaceSettings, type SpaceState } from '@proffer/core/operations';
import { EVERY_SPACE, type Journal, JournalError } from '@proffer/journal';
import type { Logger } from 'pino';
import { MADE_BY, type SnapshotLine } from './format.js';
import { type Restored, readSnapshot, UnusableError } from './read.js';

/** The contents of a snapshot: each as of when it is added, whatever happens to it later. */
interface SnapshotDraft {
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

export interface SnapshotsOptions {
  readonly journal: Journal;
  /** The served spaces. */
  readonly spaces: readonly SpaceSettings[];
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** After how many records a new one is worth writing. Default: {@link WORTHWHILE}. */
  readonly worthwhile?: number;
}

/** Fewer records than this are read in well under a second. */
const WORTHWHILE = 20_000;

/**
 * Saves a start from reading the whole history. Only a shortcut: if none fits, everything is read, and the
 * state is the same (I-3).
 */
export interface Snapshots {
  /** The saved snapshot, if usable. */
  readonly restored: Restored | undefined;
  /** Creates a draft including all current records; nothing while the last one is recent enough. */
  draft(): Promise<Draft | undefined>;
}

/** A snapshot being made: everything must be added before the state changes. */
interface Draft extends SnapshotDraft {
  /** Writes it. If that fails, the previous one stays, and it is logged. */
  save(): Promise<void>;
}

/** Looks for a usable snapshot. */
export async function openSnapshots(options: SnapshotsOptions): Promise<Snapshots> {
  const { journal, log, worthwhile = WORTHWHILE } = options;
  const restored = await restore(options);
  let known = restored?.seq ?? 0;
  return {
    restored,
    async draft() {
      const store = journal.snapshots;
      const seq = await journal.lastSeq(EVERY_SPACE);
      if (store === undefined || seq - known < worthwhile) return undefined;
      const draft = createDraft();
      return {
        ...draft,
        async save() {
          try {
            if (await store.save(seq, draft.pieces())) known = seq;
          } catch (error) {
            log.warn({ err: error }, 'the snapshot was not written; the next start takes longer');
          }
        },
      };
    },
  };
}

async function restore({ journal, spaces, log }: SnapshotsOptions): Promise<Restored | undefined> {
  try {
    const saved = await journal.snapshots?.load();
    if (saved === undefined) return undefined;
    const restored = await readSnapshot(saved, { journal, spaces });
    log.info({ seq: restored.seq }, 'started from a snapshot');
    return restored;
  } catch (error) {
    const whole = 'the whole journal is read instead';
    if (error instanceof UnusableError)
      log.info({ reason: error.message }, `the snapshot is not used; ${whole}`);
    else if (error instanceof JournalError)
      log.warn({ refusal: error.refusal }, `the snapshot is damaged; ${whole}`);
    else log.warn({ err: error }, `the snapshot cannot be read; ${whole}`);
    return undefined;
  }
}
