import type { StreamHead } from '@proffer/core/records';
import type { JournalHead } from '../../journal.js';
import { keyOf, type StreamEntry, type StreamKey, type StreamTable } from '../../streams/stream-table.js';

/** Where the next append to a stream goes. */
export interface Head extends StreamHead {
  readonly seq: number;
}

/** A stream that was used lately. */
export interface RecentStream {
  readonly key: StreamKey;
  /** The end on the disk. */
  durable: Head;
  /** The end with everything in flight; the durable one if nothing is. */
  planned: Head;
  /** Whether the table has the durable end. */
  isNoted: boolean;
  /** The list of a segment that already has the stream. One that was not used for a while may be listed again. */
  listedIn: readonly StreamKey[] | undefined;
}

/** So many streams are looked up before those that were not used meanwhile go back to the table. */
const GENERATION = 1024;

/**
 * The ends of all streams: on disk, and including everything in flight. A stream is usually appended to several times
 * within a moment. So the ends of recent streams are in a map, and reach the table, which has all of them, when they
 * have not been used for a while or somebody asks for them.
 */
export class StreamHeads {
  readonly #table: StreamTable;
  #recent = new Map<string, RecentStream>();
  #older = new Map<string, RecentStream>();
  /** How many streams were added since the generation began; those in flight stay without being counted. */
  #added = 0;

  constructor(table: StreamTable) {
    this.#table = table;
  }

  /** A stream, for appending to it: in flight is whatever is put into `planned`. */
  of(stream: string): RecentStream {
    const recent = this.#recent.get(stream);
    if (recent !== undefined) return recent;
    const found = this.#older.get(stream) ?? this.#load(stream);
    if (this.#added >= GENERATION) this.#beginGeneration();
    this.#added++;
    this.#recent.set(stream, found);
    return found;
  }

  /** What is durable of a stream; `undefined` if it has never had a record. */
  get(stream: string): StreamEntry | undefined {
    const recent = this.#recent.get(stream) ?? this.#older.get(stream);
    if (recent === undefined) return this.#table.get(stream);
    this.#note(recent);
    return this.#table.getBy(recent.key);
  }

  /** Adds what is known about a stream from elsewhere; see {@link StreamTable.merge}. */
  merge(stream: string, entry: StreamEntry): void {
    const recent = this.of(stream);
    const isStill = !isInFlight(recent);
    this.#note(recent);
    this.#table.mergeBy(recent.key, entry);
    recent.durable = this.#read(stream, recent.key);
    if (isStill) recent.planned = recent.durable;
  }

  /** The table, with all ends that are durable now. */
  noted(): StreamTable {
    for (const recent of this.#older.values()) this.#note(recent);
    for (const recent of this.#recent.values()) this.#note(recent);
    return this.#table;
  }

  /** The head for the next append, and how much of the stream is removed. */
  now(stream: string): JournalHead {
    const { planned, durable } = this.of(stream);
    const { version, hash } = planned;
    return { stream, version, hash, removed: durable.version === 0 ? 0 : (this.get(stream)?.removed ?? 0) };
  }

  /** What was in flight up to this end has become durable. */
  reach(recent: RecentStream, end: Head): void {
    recent.durable = end;
    recent.isNoted = false;
  }

  /** Nothing that was in flight will become durable. */
  fail(): void {
    for (const recent of this.#older.values()) recent.planned = recent.durable;
    for (const recent of this.#recent.values()) recent.planned = recent.durable;
  }

  #load(stream: string): RecentStream {
    const key = keyOf(stream);
    const durable = this.#read(stream, key);
    return { key, durable, planned: durable, isNoted: true, listedIn: undefined };
  }

  #read(stream: string, key: StreamKey): Head {
    const { version, hash, seq } = this.#table.getBy(key) ?? NO_RECORDS;
    return { stream, version, hash, seq };
  }

  #note(recent: RecentStream): void {
    if (recent.isNoted) return;
    recent.isNoted = true;
    const { version, hash, seq } = recent.durable;
    this.#table.mergeBy(recent.key, { version, hash, seq, removed: 0 });
  }

  #beginGeneration(): void {
    const old = this.#older;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#added = 0;
    for (const [stream, recent] of old) {
      this.#note(recent);
      // What is in flight may fail, and is known nowhere else.
      if (isInFlight(recent)) this.#recent.set(stream, recent);
    }
  }
}

const NO_RECORDS = { version: 0, hash: '', seq: 0 };

/** Whether some of a stream is not durable yet. */
export function isInFlight({ planned, durable }: RecentStream): boolean {
  return planned !== durable;
}
