import { EVERY_SPACE, type JournalFeedOptions } from './journal.js';
import { DEFAULT_TAIL_LIMITS, LiveTail, type TailLimits } from './live-tail.js';
import { isOfSpace, type StoredRecord, spaceOf } from './stored-record.js';

/** A space, or all of them. */
export type SpaceScope = string | typeof EVERY_SPACE;

/** A chunk of history. */
export interface HistoryChunk {
  readonly records: readonly StoredRecord[];
  /** The chunk is complete up to this `seq` of the space. */
  readonly upTo: number;
}

/** What a feed needs from a backend. */
export interface FeedSource {
  /** The highest durable `seq` of the space. */
  lastSeq(space: SpaceScope): number;
  /** The next records after a `seq`, a bounded number. `upTo` must be greater than `seq`. */
  history(space: SpaceScope, afterSeq: number): Promise<HistoryChunk>;
  /** Throws {@link JournalError} if there will be no more records of the space. Default: there always may be. */
  check?(space: SpaceScope): void;
}

/** All feeds of a journal, and the tails of the followed spaces. */
export class Feeds {
  readonly #source: FeedSource;
  readonly #limits: TailLimits;
  readonly #tails = new Map<SpaceScope, { readonly tail: LiveTail; followers: number }>();
  readonly #touched = new Set<LiveTail>();
  #closed = false;

  constructor(source: FeedSource, limits: TailLimits = DEFAULT_TAIL_LIMITS) {
    this.#source = source;
    this.#limits = limits;
  }

  /** Passes on records that have just become durable, in order of `seq`; {@link wake} follows. */
  publish(records: readonly StoredRecord[], bytes: number): void {
    if (this.#tails.size === 0) return;
    const size = bytes / records.length;
    const every = this.#touch(EVERY_SPACE);
    let space: string | undefined;
    let tail: LiveTail | undefined;
    for (const record of records) {
      if (space === undefined || !isOfSpace(record.stream, space)) {
        space = spaceOf(record.stream);
        tail = this.#touch(space);
      }
      tail?.push(record, size);
      every?.push(record, size);
    }
  }

  /** Notifies followers that there is more. */
  wake(): void {
    for (const tail of this.#touched) tail.wake();
    this.#touched.clear();
  }

  /** Makes all feeds look whether there will be more. */
  wakeAll(): void {
    for (const { tail } of this.#tails.values()) tail.wake();
  }

  /** Ends all feeds; unfinished readers can resume from their last `seq`. */
  close(): void {
    this.#closed = true;
    this.wakeAll();
  }

  /** See `Journal.feed`. */
  async *follow(
    space: SpaceScope,
    afterSeq: number,
    options: JournalFeedOptions,
  ): AsyncGenerator<StoredRecord> {
    for await (const records of this.pieces(space, afterSeq, options)) {
      for (const record of records) {
        if (this.#isOver(options.signal)) return;
        yield record;
      }
    }
  }

  /** See `Journal.feedPieces`. */
  async *pieces(
    space: SpaceScope,
    afterSeq: number,
    options: JournalFeedOptions,
  ): AsyncGenerator<readonly StoredRecord[]> {
    const { signal, follow = true } = options;
    const goal = follow ? Number.POSITIVE_INFINITY : this.#source.lastSeq(space);
    const tail = this.#enter(space);
    const wake = (): void => tail.wake();
    signal?.addEventListener('abort', wake);
    try {
      let cursor = afterSeq;
      while (cursor < goal && !this.#isOver(signal)) {
        this.#source.check?.(space);
        if (cursor >= this.#source.lastSeq(space)) {
          await tail.more();
          continue;
        }
        const recent = tail.after(cursor);
        const { records, upTo } =
          recent?.[0] === undefined
            ? await this.#source.history(space, cursor)
            : { records: recent, upTo: recent.at(-1)?.seq ?? cursor };
        if (this.#isOver(signal)) return;
        const wanted = upTo <= goal ? records : records.filter((record) => record.seq <= goal);
        if (wanted.length > 0) yield wanted;
        cursor = upTo;
      }
    } finally {
      signal?.removeEventListener('abort', wake);
      this.#leave(space);
    }
  }

  #isOver(signal: AbortSignal | undefined): boolean {
    return this.#closed || signal?.aborted === true;
  }

  /** The tail of a followed space; its followers are notified with the next {@link wake}. */
  #touch(space: SpaceScope): LiveTail | undefined {
    const tail = this.#tails.get(space)?.tail;
    if (tail !== undefined) this.#touched.add(tail);
    return tail;
  }

  #enter(space: SpaceScope): LiveTail {
    const followed = this.#tails.get(space);
    if (followed !== undefined) {
      followed.followers++;
      return followed.tail;
    }
    const tail = new LiveTail(this.#source.lastSeq(space), this.#limits);
    this.#tails.set(space, { tail, followers: 1 });
    return tail;
  }

  #leave(space: SpaceScope): void {
    const followed = this.#tails.get(space);
    if (followed !== undefined && --followed.followers === 0) this.#tails.delete(space);
  }
}
