import type { StoredRecord } from '../../stored-record.js';
import type { StreamEntry } from '../../streams/stream-table.js';
import type { HistoryReader } from '../segments/index.js';

/** How many versions apart the waypoints of a stream are. */
const SPACING = 32;

/** How many positions are remembered at most (I-7): about ten megabytes. */
const MAX_PLACES = 131_072;

/** The overhead of a stream, counted in waypoints. */
const STREAM_COST = 8;

/**
 * Where to start reading in the middle of a long stream (I-8): the `seq` of a record at regular
 * intervals. Only saves time: unknown positions are found from the end of the stream. The least
 * recently used streams are evicted.
 */
export class Waypoints {
  readonly #streams = new Map<string, Map<number, number>>();
  readonly #most: number;
  #cost = 0;

  /** @param most - how many positions are remembered at most, a stream counting as a few */
  constructor(most: number = MAX_PLACES) {
    this.#most = most;
  }

  /** The `seq` of a record, if it is remembered. */
  at(stream: string, version: number): number | undefined {
    return this.#streams.get(stream)?.get(version);
  }

  /** Remembers the position of a record, if its version is a waypoint. */
  note(stream: string, version: number, seq: number): void {
    if (version % SPACING !== 0) return;
    const known = this.#streams.get(stream);
    const places = known ?? new Map<number, number>();
    const before = places.size;
    places.set(version, seq);
    this.#cost += places.size - before + (known === undefined ? STREAM_COST : 0);
    // The last entry of the map is the most recently used.
    this.#streams.delete(stream);
    this.#streams.set(stream, places);
    for (const [oldest, { size }] of this.#streams) {
      if (this.#cost <= this.#most) break;
      this.#streams.delete(oldest);
      this.#cost -= size + STREAM_COST;
    }
  }
}

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
