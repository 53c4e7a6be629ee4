import { type HashText, sha256 } from '@proffer/core';
import { defined } from '@proffer/core/json';
import {
  emptyStream,
  headAfter,
  type RecordContent,
  type StreamHead,
  sealRecord,
  verifyStream,
} from '@proffer/core/records';
import { Feeds, type HistoryChunk, type SpaceScope } from '../feed.js';
import {
  type Append,
  type CompactOptions,
  type CompactReport,
  EVERY_SPACE,
  type Journal,
  type JournalFault,
  type JournalFeedOptions,
  type JournalHead,
  type VerifyReport,
} from '../journal.js';
import { type AppendOutcome, cannotWrite, unavailable } from '../outcome.js';
import { type StoredRecord, spaceOf } from '../stored-record.js';
import { createTreeMemory } from '../tree-store.js';

export interface MemoryJournalOptions {
  /** The host's SHA-256, if it is faster than core's. */
  readonly hash?: HashText;
}

/**
 * A journal that lasts as long as its object: for tests and browsers. Uses nothing of its host.
 * "Durable" means accepted here; it is never unavailable before it is closed.
 */
export function createMemoryJournal(options: MemoryJournalOptions = {}): Journal {
  return new MemoryJournal(options.hash ?? sha256);
}

interface Stream {
  readonly removed: StreamHead;
  readonly records: readonly StoredRecord[];
}

const PIECE = 256;

class MemoryJournal implements Journal {
  readonly tree = createTreeMemory();
  readonly #hash: HashText;
  readonly #streams = new Map<string, { removed: StreamHead; records: StoredRecord[] }>();
  readonly #lastSeqs = new Map<SpaceScope, number>();
  readonly #feeds = new Feeds(this.#source());
  #all: StoredRecord[] = [];
  #closed = false;

  constructor(hash: HashText) {
    this.#hash = hash;
  }

  append(
    stream: string,
    expectedVersion: number,
    contents: readonly RecordContent[],
  ): Promise<AppendOutcome> {
    return Promise.resolve(this.#append(stream, expectedVersion, contents));
  }

  appendAll(appends: readonly Append[], settle: (outcomes: readonly AppendOutcome[]) => void): void {
    const outcomes = appends.map(({ stream, expectedVersion, records }) =>
      this.#append(stream, expectedVersion, records),
    );
    queueMicrotask(() => settle(outcomes));
  }

  async *read(stream: string, fromVersion = 1): AsyncGenerator<StoredRecord> {
    const { removed, records } = this.#stream(stream);
    yield* records.slice(Math.max(0, fromVersion - removed.version - 1));
  }

  head(stream: string): Promise<JournalHead> {
    return Promise.resolve(this.headNow(stream));
  }

  headNow(stream: string): JournalHead {
    const found = this.#stream(stream);
    return { ...endOf(found), removed: found.removed.version };
  }

  feed(space: SpaceScope, afterSeq: number, options: JournalFeedOptions = {}): AsyncIterable<StoredRecord> {
    return this.#feeds.follow(space, afterSeq, options);
  }

  feedPieces(
    space: SpaceScope,
    afterSeq: number,
    options: JournalFeedOptions = {},
  ): AsyncIterable<readonly StoredRecord[]> {
    return this.#feeds.pieces(space, afterSeq, options);
  }

  lastSeq(space: SpaceScope): Promise<number> {
    return Promise.resolve(this.#lastSeqs.get(space) ?? 0);
  }

  verify(): Promise<VerifyReport> {
    const faults: JournalFault[] = [];
    let gone = 0;
    for (const [stream, { removed, records }] of this.#streams) {
      gone += removed.version;
      const verified = verifyStream(records, { from: removed, hash: this.#hash });
      if (verified.ok) continue;
      const version = Number(verified.refusal.details['version']);
      faults.push({ stream, version, refusal: verified.refusal });
    }
    const counts = { records: this.#all.length, streams: this.#streams.size };
    return Promise.resolve({ ...counts, faults, ...defined({ removed: gone || undefined }) });
  }

  compact({ before, keep }: CompactOptions): Promise<CompactReport> {
    let streams = 0;
    const present = this.#all.length;
    for (const stream of this.#streams.values()) {
      const last = stream.records.at(-1);
      if (last === undefined || last.time >= before || keep(last)) continue;
      stream.removed = headAfter(last);
      stream.records = [];
      streams++;
    }
    this.#all = this.#all.filter((record) => record.version > this.#stream(record.stream).removed.version);
    return Promise.resolve({ streams, records: present - this.#all.length });
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#feeds.close();
    return Promise.resolve();
  }

  #append(stream: string, expectedVersion: number, contents: readonly RecordContent[]): AppendOutcome {
    if (this.#closed) return unavailable('The journal is closed.');
    const found = this.#stream(stream);
    let head = endOf(found);
    if (head.version !== expectedVersion) return { status: 'conflict', head };
    const records: StoredRecord[] = [];
    let seq = this.#lastSeqs.get(EVERY_SPACE) ?? 0;
    try {
      for (const content of contents) {
        const record = { ...sealRecord(content, head, this.#hash), seq: ++seq };
        records.push(record);
        head = headAfter(record);
      }
    } catch (error) {
      return cannotWrite(error);
    }
    if (records.length === 0) return { status: 'appended', records };
    this.#streams.set(stream, found);
    for (const record of records) {
      found.records.push(record);
      this.#all.push(record);
    }
    this.#lastSeqs.set(spaceOf(stream), seq).set(EVERY_SPACE, seq);
    this.#feeds.publish(records, 0);
    this.#feeds.wake();
    return { status: 'appended', records };
  }

  #stream(stream: string): { removed: StreamHead; records: StoredRecord[] } {
    return this.#streams.get(stream) ?? { removed: emptyStream(stream), records: [] };
  }

  #source(): ConstructorParameters<typeof Feeds>[0] {
    return {
      lastSeq: (space) => this.#lastSeqs.get(space) ?? 0,
      history: (space, afterSeq) => Promise.resolve(this.#history(space, afterSeq)),
    };
  }

  #history(space: SpaceScope, afterSeq: number): HistoryChunk {
    let index = firstAfter(this.#all, afterSeq);
    const records: StoredRecord[] = [];
    for (; index < this.#all.length && records.length < PIECE; index++) {
      const record = this.#all[index] as StoredRecord;
      if (space === EVERY_SPACE || spaceOf(record.stream) === space) records.push(record);
    }
    const ended = index === this.#all.length;
    const upTo = ended ? this.#lastSeqs.get(EVERY_SPACE) : records.at(-1)?.seq;
    return { records, upTo: upTo ?? afterSeq };
  }
}

function endOf({ removed, records }: Stream): StreamHead {
  const last = records.at(-1);
  return last === undefined ? removed : headAfter(last);
}

function firstAfter(records: readonly StoredRecord[], seq: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
