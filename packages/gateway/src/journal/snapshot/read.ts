import { decodeSessions, type Session, sessionStream } from '@proffer/core/negotiation';
import {
  decodeSpace,
  proposalStream,
  type SpaceDecoder,
  type SpaceSettings,
  type SpaceState,
} from '@proffer/core/operations';
import type { Journal, SavedSnapshot } from '@proffer/journal';
import { MADE_BY, type SnapshotLine, type SpaceBasis } from './format.js';

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
