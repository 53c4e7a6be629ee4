import {
  decodeSessions,
  encodeSessions,
  type Session,
  type SessionPart,
  sessionStream,
} from '@proffer/core/negotiation';
import {
  decodeSpace,
  encodeSpace,
  proposalStream,
  type SpaceDecoder,
  type SpacePart,
  type SpaceSettings,
  type SpaceState,
} from '@proffer/core/operations';
import { EVERY_SPACE, type Journal, JournalError, type SavedSnapshot } from '@proffer/journal';
import type { Logger } from 'pino';
import { VERSION } from '../version.js';

/** The contents of a snapshot. */
export interface Restored {
  /** The last record it includes. */
  readonly seq: number;
  /** The states of all requested spaces. */
  readonly spaces: ReadonlyMap<string, SpaceState>;
  /** The sessions that were open. */
  readonly sessions: readonly Session[];
}

interface ReadOptions {
  readonly journal: Journal;
  /** The spaces whose states are needed. */
  readonly spaces: Iterable<SpaceSettings>;
}

/** Why a snapshot cannot be used here. */
export class UnusableError extends Error {
  override readonly name = 'UnusableError';
}

/**
 * Reads a snapshot. Throws {@link UnusableError} if it is not for this program or these spaces, or read
 * errors.
 */
export async function readSnapshot(
  saved: SavedSnapshot,
  { journal, spaces }: ReadOptions,
): Promise<Restored> {
  const wanted = new Map(Array.from(spaces, (settings) => [settings.name, settings]));
  const found = new Map<string, SpaceState>();
  const sessions: Session[] = [];
  const decode = decodeSessions();
  const isGone = (stream: string): boolean => (journal.headNow?.(stream).removed ?? 0) > 0;
  let current: SpaceDecoder | undefined;
  let finish = nothingToFinish;

  function beginSpace(name: string, { dedupWindow }: SpaceBasis): void {
    finish();
    const settings = wanted.get(name);
    current = undefined;
    finish = nothingToFinish;
    if (settings === undefined) return;
    if (settings.dedupWindow !== dedupWindow) throw new UnusableError(`dedup_window of ${name} was changed`);
    const decoder = decodeSpace(settings, (id) => isGone(proposalStream(name, id)));
    current = decoder;
    finish = () => void found.set(name, decoder.end());
  }

  function take(line: SnapshotLine): void {
    if (line[0] === 'by') {
      if (line[1] !== MADE_BY) throw new UnusableError(`it was made by ${line[1]}, this is ${MADE_BY}`);
    } else if (line[0] === 'space') beginSpace(line[1], line[2]);
    else if (line[0] === 'kind' || line[0] === 'session') {
      const session = decode(line);
      if (session !== undefined && !isGone(sessionStream(session.id))) sessions.push(session);
    } else current?.take(line);
  }

  for await (const piece of saved.pieces()) {
    for (const text of piece.split('\n')) if (text !== '') take(JSON.parse(text) as SnapshotLine);
  }
  finish();
  for (const name of wanted.keys()) {
    if (!found.has(name)) throw new UnusableError(`it does not know the space ${name}`);
  }
  return { seq: saved.seq, spaces: found, sessions };
}

const nothingToFinish = (): void => {};

/**
 * The version of a snapshot's contents. It must be raised whenever the state of a space or a session changes
 * its form or meaning: a snapshot with another one is not used. A test notices changes of form.
 */
export const STATE_FORMAT = 10;

/**
 * Which program may use a snapshot: the one that made it. Another release may fold the same records
 * differently, so after an upgrade history is read once.
 */
export const MADE_BY = `proffer ${VERSION}, state ${STATE_FORMAT}`;

/**
 * One line of a snapshot: first its producer, then each space by its name and the settings that its state
 * depends on, followed by its parts, then the open sessions.
 */
export type SnapshotLine =
  | readonly ['by', string]
  | readonly ['space', string, SpaceBasis]
  | SpacePart
  | SessionPart;

/** The settings that the state of a space depends on. */
export type SpaceBasis = { readonly dedupWindow: number };

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
