import type { RecordContent } from '@proffer/core/records';
import { Feeds, type SpaceScope } from '../feed.js';
import {
  type Append,
  type CompactOptions,
  type CompactReport,
  type Durability,
  EVERY_SPACE,
  type Journal,
  type JournalEvent,
  type JournalFeedOptions,
  type JournalHead,
  type SnapshotStore,
  type VerifyReport,
} from '../journal.js';
import type { TailLimits } from '../live-tail.js';
import { type AppendOutcome, cannotWrite, unavailable } from '../outcome.js';
import { isOfSpace, type StoredRecord, spaceOf } from '../stored-record.js';
import type { StreamKey } from '../streams/stream-table.js';
import { compactSegments } from './compaction.js';
import { type Disk, onDescriptorsUsedUp } from './files/index.js';
import { GroupCommit, type Pending } from './group-commit.js';
import { Health } from './health.js';
import type { FolderLock } from './lock-folder.js';
import type { Recovered, Recovery } from './recovery.js';
import { RemovedLists, type RemovedStream } from './removed-list.js';
import {
  HistoryReader,
  type LineBuffer,
  type ProgressWriter,
  type Segment,
  SegmentWriter,
  sealLines,
  writeIndex,
} from './segments/index.js';
import { createSnapshotFile } from './snapshot-file.js';
import { isInFlight, StreamHeads, Waypoints, walkStream } from './streams/index.js';
import { createTaskQueue } from './task-queue.js';
import { createTreeFiles, type TreeFiles } from './tree-files.js';
import { partOf, verifyParts } from './verify.js';

/** The parts of a local journal. */
export interface LocalJournalParts {
  readonly folder: string;
  readonly disk: Disk;
  readonly lock: FolderLock;
  readonly progress: ProgressWriter;
  /** Called once, before anything but the progress is written. */
  readonly prepare: () => Promise<void>;
  readonly recovered: Recovered;
  readonly durability: Durability;
  readonly segmentBytes: number;
  readonly batchBytes: number;
  readonly tail: TailLimits;
}

/** The journal in one folder. Created by `openLocalJournal`. */
export class LocalJournal implements Journal {
  /** What opening found and fixed. */
  readonly recovery: Recovery;
  readonly durability: Durability;
  readonly snapshots: SnapshotStore;
  readonly tree: TreeFiles;
  readonly #parts: LocalJournalParts;
  readonly #writer: SegmentWriter;
  readonly #commits: GroupCommit;
  readonly #health: Health;
  readonly #stopListening: () => void;
  readonly #history: HistoryReader;
  readonly #feeds: Feeds;
  readonly #waypoints = new Waypoints();
  readonly #heads: StreamHeads;
  /** The streams of the last segment; absent if not all of them are known. */
  #touched: StreamKey[] | undefined;
  #nextSeq: number;
  readonly #removed: RemovedLists;
  readonly #inBackground = createTaskQueue();
  #closing: Promise<void> | undefined;

  constructor(parts: LocalJournalParts) {
    const { recovered, disk, folder, segmentBytes, batchBytes, progress, durability } = parts;
    const { segments } = recovered;
    this.#parts = parts;
    this.recovery = recovered.recovery;
    this.durability = durability;
    this.#heads = new StreamHeads(recovered.table);
    this.#touched = segments.last === undefined ? [] : recovered.touched;
    this.#removed = new RemovedLists(folder, disk, recovered.removed);
    this.#nextSeq = this.#durableSeq(EVERY_SPACE) + 1;
    const lastSeq = (): number => this.#durableSeq(EVERY_SPACE);
    const onEnded = (segment: Segment): void => this.#segmentEnded(segment);
    this.#writer = new SegmentWriter({
      disk,
      folder,
      segments,
      durability,
      segmentBytes,
      lastSeq,
      onEnded,
      onSyncFailed: (error) => this.#health.failed(cannotWrite(error), 0),
      progress,
      lists: () => this.#removed.numbers.length,
      isInPlace: () => parts.lock.isInPlace(),
      lock: parts.lock.segment,
      prepare: parts.prepare,
    });
    this.#commits = new GroupCommit({
      writer: this.#writer,
      batchBytes,
      seal: (append, lines) => this.#seal(append, lines),
      onDurable: (batch, bytes) => this.#madeDurable(batch, bytes),
      onFailed: (failed, bytes) => {
        this.#heads.fail();
        this.#health.failed(failed, bytes);
      },
    });
    this.#health = new Health((bytes) => this.#commits.between(() => this.#writer.probe(bytes)));
    this.#stopListening = onDescriptorsUsedUp((error) => this.#health.descriptorsUsedUp(error));
    this.#history = new HistoryReader({ segments, lastSeq, isRemoved: (record) => this.#isRemoved(record) });
    this.#feeds = new Feeds(
      {
        lastSeq: (space) => this.#durableSeq(space),
        history: (space, afterSeq) => this.#history.after(space, afterSeq),
      },
      parts.tail,
    );
    this.snapshots = createSnapshotFile({
      folder,
      disk,
      recordAt: async (seq) => (await this.#history.at(seq))?.record,
      checkPlace: () => this.#writer.checkPlace(),
      turns: this.#inBackground,
    });
    this.tree = createTreeFiles({ folder, disk, checkPlace: () => this.#writer.checkPlace() });
  }

  /** Opens the last segment for writing. Throws the disk's error. */
  async start(): Promise<void> {
    try {
      await this.#writer.repair();
    } catch (error) {
      await this.#writer.close().catch(() => undefined);
      throw error;
    }
  }

  append(stream: string, expectedVersion: number, records: readonly RecordContent[]): Promise<AppendOutcome> {
    return new Promise((resolve) => {
      this.appendAll([{ stream, expectedVersion, records }], ([outcome]) =>
        resolve(outcome as AppendOutcome),
      );
    });
  }

  appendAll(appends: readonly Append[], settle: (outcomes: readonly AppendOutcome[]) => void): void {
    if (this.#closing === undefined) return this.#commits.push(appends, settle);
    const closed = unavailable('The journal is closed.');
    queueMicrotask(() => settle(appends.map(() => closed)));
  }

  async *read(stream: string, fromVersion = 1): AsyncGenerator<StoredRecord> {
    if (isInFlight(this.#heads.of(stream))) await this.#commits.settled();
    const entry = this.#heads.get(stream);
    if (entry === undefined) return;
    const first = Math.max(fromVersion, entry.removed + 1);
    const way = { stream, end: entry, history: this.#history, waypoints: this.#waypoints };
    for await (const record of walkStream(way, first)) if (!this.#isRemoved(record)) yield record;
  }

  head(stream: string): Promise<JournalHead> {
    return Promise.resolve(this.headNow(stream));
  }

  headNow(stream: string): JournalHead {
    return this.#heads.now(stream);
  }

  feed(space: SpaceScope, afterSeq: number, options: JournalFeedOptions = {}): AsyncIterable<StoredRecord> {
    return this.#feeds.follow(space, afterSeq, options);
  }

  feedPieces(
    space: SpaceScope,
    after: number,
    options: JournalFeedOptions = {},
  ): AsyncIterable<readonly StoredRecord[]> {
    return this.#feeds.pieces(space, after, options);
  }

  lastSeq(space: SpaceScope): Promise<number> {
    return Promise.resolve(this.#durableSeq(space));
  }

  watch(listener: (event: JournalEvent) => void): () => void {
    return this.#health.watch(listener);
  }

  verify(): Promise<VerifyReport> {
    return this.#inBackground.take(() => {
      const { folder, recovered } = this.#parts;
      const parts = recovered.segments.all.map(partOf);
      return verifyParts(folder, { parts, removed: this.#removed.numbers });
    });
  }

  compact(options: CompactOptions): Promise<CompactReport> {
    return this.#inBackground.take(async () => {
      await this.#commits.between(() => this.#writer.rotate());
      const journal = {
        ...this.#parts,
        segments: this.#parts.recovered.segments,
        heads: this.#heads,
        plannedVersion: (stream: string) => this.#heads.now(stream).version,
        isRemoved: (record: StoredRecord) => this.#isRemoved(record),
        checkPlace: () => this.#writer.checkPlace(),
        isStopping: () => this.#closing !== undefined,
      };
      return compactSegments(journal, options, async (removed) => {
        await this.#removed.add(removed);
        // They are removed now, even if the number of lists cannot be recorded at once.
        await this.#writer.sync().catch(() => undefined);
      });
    });
  }

  /** For a copy: the next record gets this `seq`, if it is higher than the one it would get. */
  skipTo(seq: number): void {
    this.#nextSeq = Math.max(this.#nextSeq, seq);
  }

  /** For a copy: these streams are removed up to the given version, and continue after that. */
  async adoptRemoved(removed: readonly RemovedStream[]): Promise<void> {
    await this.#removed.add(removed);
    for (const { stream, ...entry } of removed)
      this.#heads.merge(stream, { ...entry, removed: entry.version });
    await this.#writer.sync();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#health.stop();
    this.#stopListening();
    await this.#commits.settled();
    await this.#inBackground.done();
    this.#feeds.close();
    // Acknowledged data is already durable: a disk failure now loses nothing.
    await this.#writer.close().catch(() => undefined);
    await this.tree.close();
    await this.#parts.progress.close();
    await this.#parts.lock.release();
  }

  /** Seals the records onto the end of their stream; the new end counts at once. */
  #seal({ stream, expectedVersion, records: contents }: Append, lines: LineBuffer): Pending {
    const recent = this.#heads.of(stream);
    const { version, hash } = recent.planned;
    if (version !== expectedVersion)
      return { outcome: { status: 'conflict', head: { stream, version, hash } } };
    if (contents.length === 0) return { outcome: { status: 'appended', records: [] } };
    const { records, head } = sealLines(contents, recent.planned, this.#nextSeq, lines);
    this.#nextSeq += records.length;
    recent.planned = head;
    return { outcome: { status: 'appended', records }, recent, head };
  }

  #madeDurable(batch: readonly Pending[], bytes: number): void {
    let space = '';
    let last = 0;
    const records: StoredRecord[] = [];
    for (const { outcome, recent, head } of batch) {
      if (recent === undefined || outcome.status !== 'appended') continue;
      // All of them belong to one stream, and only its end counts.
      const { stream } = head;
      this.#heads.reach(recent, head);
      if (recent.listedIn !== this.#touched) {
        recent.listedIn = this.#touched;
        this.#touched?.push(recent.key);
      }
      for (const record of outcome.records) {
        this.#waypoints.note(stream, record.version, record.seq);
        records.push(record);
      }
      if (!isOfSpace(stream, space)) {
        this.#reached(space, last);
        space = spaceOf(stream);
      }
      last = head.seq;
    }
    this.#reached(space, last);
    this.#feeds.publish(records, bytes);
    this.#feeds.wake();
    if (last > 0) this.#health.succeeded();
  }

  /** A space now has records up to a `seq`. */
  #reached(space: string, seq: number): void {
    if (seq === 0) return;
    const { segments, lastSeqs } = this.#parts.recovered;
    lastSeqs.set(space, seq).set(EVERY_SPACE, seq);
    segments.last?.noteRecord(space, seq);
  }

  #segmentEnded(segment: Segment): void {
    const streams = this.#touched;
    const { disk } = this.#parts;
    this.#touched = [];
    if (streams === undefined) return;
    // The index only speeds up the next start, so no one waits for it, and a failure does not matter.
    const write = (): Promise<void> => {
      this.#writer.checkPlace();
      return writeIndex(disk, segment, streams, this.#heads.noted());
    };
    void this.#inBackground.take(write).catch(() => undefined);
  }

  #isRemoved({ stream, version }: StoredRecord): boolean {
    return (
      this.#removed.numbers.length > 0 && version <= (this.#parts.recovered.table.get(stream)?.removed ?? 0)
    );
  }

  #durableSeq(space: SpaceScope): number {
    return this.#parts.recovered.lastSeqs.get(space) ?? 0;
  }
}
