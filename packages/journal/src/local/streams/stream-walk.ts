import type { StoredRecord } from '../../stored-record.js';
import type { StreamEntry } from '../../streams/index.js';
import type { HistoryReader } from '../segments/index.js';
import { SPACING, type Waypoints } from './waypoints.js';

/** A stream and its waypoints. */
export interface WalkOptions {
  readonly stream: string;
  /** The end of the walk; nothing after it is read. */
  readonly end: Pick<StreamEntry, 'version' | 'seq'>;
  readonly history: Pick<HistoryReader, 'at'>;
  readonly waypoints: Waypoints;
}

/**
 * The records of a stream from a version on, except removed ones. Each record names the one before
 * it, so the walk goes backwards: in short pieces from one waypoint to the one before, which bounds
 * memory use. The first walk through an uncached stream finds the waypoints from its end. Yields to
 * other work after every piece.
 */
export async function* walkStream(options: WalkOptions, first: number): AsyncGenerator<StoredRecord> {
  const { stream, end, history, waypoints } = options;
  // Kept for this walk, whatever else is read.
  const found = new Map<number, number>([[end.version, end.seq]]);
  const place = (version: number): number | undefined => found.get(version) ?? waypoints.at(stream, version);

  /** Walks back from the nearest known position to an unknown one. */
  async function findPlace(version: number): Promise<number | undefined> {
    let from = version;
    while (place(from) === undefined) from = Math.min(from + SPACING, end.version);
    let seq = place(from) ?? 0;
    for (let steps = 1; from > version; from--, steps++) {
      const line = await history.at(seq);
      if (line === undefined) return undefined;
      seq = line.previousSeq;
      if ((from - 1) % SPACING === 0) {
        found.set(from - 1, seq);
        waypoints.note(stream, from - 1, seq);
      }
      if (steps % SPACING === 0) await nextTurn();
    }
    return seq;
  }

  for (let from = first; from <= end.version; ) {
    const to = Math.min(Math.ceil(from / SPACING) * SPACING, end.version);
    const piece: StoredRecord[] = [];
    let seq = await findPlace(to);
    for (let version = to; version >= from && seq !== undefined; version--) {
      const line = await history.at(seq);
      if (line !== undefined) piece.push(line.record);
      seq = line?.previousSeq;
    }
    yield* piece.reverse();
    from = to + 1;
    if (from <= end.version) await nextTurn();
  }
}

/** Cached records are read without waiting for anything: other work would never get a turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
