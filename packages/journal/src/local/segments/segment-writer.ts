import type { Durability } from '../../journal.js';
import { type Disk, openToRead, readBytes } from '../files/index.js';
import { JOURNAL_FORMAT } from './format.js';
import { encodeFrame } from './frame.js';
import { readFrames } from './frame-reader.js';
import { segmentPath } from './layout.js';
import type { LineBuffer } from './line-buffer.js';
import type { Progress, ProgressWriter } from './progress-file.js';
import { Segment } from './segment.js';
import { MovedError, SegmentFile } from './segment-file.js';
import { encodeSegmentHeader } from './segment-header.js';
import type { SegmentList } from './segment-list.js';
import type { SegmentLock } from './segment-lock.js';
import { CLOSED, END } from './segment-scan.js';
import { SyncLater } from './sync-later.js';

export interface WriterOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly segments: SegmentList;
  readonly durability: Durability;
  /** A segment of this many bytes is completed and the next one started. */
  readonly segmentBytes: number;
  /** The highest durable `seq`: every record of a new segment comes after it. */
  readonly lastSeq: () => number;
  /** How many lists of removed streams there are. */
  readonly lists: () => number;
  /** Where to record how far the journal got. */
  readonly progress: ProgressWriter;
  /** Whether the folder is still the locked one. */
  readonly isInPlace: () => boolean;
  /** On the last segment. */
  readonly lock: SegmentLock;
  /** Called once, before anything but the progress is written. */
  readonly prepare: () => Promise<void>;
  /** Called when another segment has replaced this one as the last. */
  readonly onEnded: (segment: Segment) => void;
  /** Called if a sync failed that nobody waits for (durability `process`), with the disk's error. */
  readonly onSyncFailed: (error: unknown) => void;
}

/** The first and the last `seq` of a batch. */
export interface Seqs {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** The error code of a full disk. It leaves existing data intact. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** How long a look at the folder's lock counts, in milliseconds. */
const SEEN = 10;

/**
 * Writes the last segment. One call at a time. A failed call leaves the file as if it had not been
 * made: its remains are cut off before anything else is written, at once if the disk allows,
 * otherwise before the next write succeeds.
 */
export class SegmentWriter {
  readonly #options: WriterOptions;
  #file: SegmentFile | undefined;
  /** Why the last segment must be repaired before it is written. */
  #fault: 'unopened' | 'unfinished' | 'suspect' | undefined = 'unopened';
  #isPrepared = false;
  /** Whether batches were written without a mark after them. */
  #unmarked = false;
  /** When the folder's lock was last looked at. */
  #seen = Number.NEGATIVE_INFINITY;
  /** With durability `process` only. */
  readonly #later: SyncLater | undefined;
  /** Up to here the last segment is known to be on disk, with durability `process`. */
  #synced = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    if (options.durability === 'power') return;
    this.#later = new SyncLater(
      async () => this.#file?.sync(),
      (error) => {
        this.#fault = 'suspect';
        options.onSyncFailed(error);
      },
    );
  }

  /** Writes lines of records as one frame; returns when they are durable. Throws the disk's error. */
  async write(lines: LineBuffer, { firstSeq, lastSeq }: Seqs): Promise<void> {
    // Usually not even a turn of the microtasks: the caller goes on only when the system has the bytes.
    if (this.#later !== undefined) await this.#later.room();
    if (this.#fault !== undefined) await this.repair();
    if (this.#last.bytes >= this.#options.segmentBytes) await this.rotate();
    const segment = this.#last;
    const offset = segment.bytes;
    await this.#append(lines.frame('batch', segment.frames));
    segment.noteBatch(firstSeq, offset);
    this.#unmarked = true;
    const progress = this.#progress(lastSeq);
    if (this.#later === undefined) this.#options.progress.note(progress);
    else this.#later.wrote(segment.bytes - offset, () => this.#noteSynced(progress));
  }

  /** Completes the last segment and starts the next one, unless it is empty. */
  async rotate(): Promise<void> {
    await this.repair();
    if (this.#last.frames === 1) return;
    await this.#guard(async () => {
      await this.#end(this.#last);
      await this.#begin(this.#last.name.number + 1);
    });
  }

  /**
   * Opens the last segment, or the first of a new journal, and cuts off what is not durable. Does
   * nothing if the last write succeeded. Throws the disk's error.
   */
  async repair(): Promise<void> {
    const fault = this.#fault;
    if (fault === undefined) return;
    const { disk, segments } = this.#options;
    await this.#guard(async () => {
      await this.#closeFile();
      this.checkPlace();
      const segment = segments.last;
      await this.#prepare();
      if (segment === undefined) return this.#begin(1);
      const { path, bytes: length, durability } = segment;
      const { identity } = this.#options.lock.on(path);
      this.#file = await SegmentFile.open(disk, path, { length, identity, durability });
      if (fault === 'suspect') {
        // The system may have given up on unwritten data, so nothing more goes into this file.
        await checkReadable(segment);
        await this.#writeAgain(segment);
        await this.#end(segment);
      }
      // From here on a segment shows that the journal is of this format, and how it is synced.
      if (segment.format !== JOURNAL_FORMAT || durability !== this.#options.durability)
        await this.#end(segment);
      if (segment.ended) await this.#begin(segment.name.number + 1);
      else if (this.#later !== undefined) this.#noteSynced(this.#progress(this.#options.lastSeq()));
    });
    this.#fault = undefined;
  }

  /**
   * Checks whether the disk accepts this many bytes, and removes them. If interrupted, they are a mark
   * without meaning. Throws the disk's error.
   */
  async probe(bytes: number): Promise<void> {
    await this.repair();
    const segment = this.#last;
    const frame = encodeFrame('mark', segment.frames, `{"mark":"probe","filler":"${'.'.repeat(bytes)}"}\n`);
    await this.#guard(() => this.#writeFile(frame, segment));
    this.#fault = 'unfinished';
    await this.repair();
  }

  /** Records how far the journal is; returns when that is on disk. Throws the disk's error. */
  async sync(): Promise<void> {
    await this.#options.progress.sync(this.#progress(this.#options.lastSeq()));
  }

  /** Throws if the folder is no longer the locked one: then nothing in it may be touched. */
  checkPlace(): void {
    if (!this.#options.isInPlace()) throw new MovedError();
  }

  /** Writes a mark that shows that the segment is complete, and closes the file. */
  async close(): Promise<void> {
    if (this.#fault === 'unopened') return;
    try {
      await this.repair();
      if (this.#unmarked) await this.#mark(CLOSED);
      await this.#later?.now();
      await this.#finishFile(this.#last.bytes);
      await this.sync();
    } finally {
      await this.#closeFile();
    }
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return;
    // Everything found counts as acknowledged from here on.
    if (this.#options.segments.last !== undefined) await this.sync();
    await this.#options.prepare();
    this.#isPrepared = true;
  }

  get #last(): Segment {
    const { last } = this.#options.segments;
    if (last === undefined) throw new Error('The journal has no segment yet.');
    return last;
  }

  async #end(segment: Segment): Promise<void> {
    if (!segment.ended) await this.#mark(END);
    segment.ended = true;
    // The next segment shows that this one is complete.
    if (segment.durability === 'process') await this.#file?.sync();
    await this.#finishFile(segment.bytes);
  }

  /** A failed sync says nothing about what it was for, and the next one need not try that again. */
  async #writeAgain({ path, bytes }: Segment): Promise<void> {
    if (this.#later === undefined || this.#synced >= bytes) return;
    const file = await openToRead(path);
    try {
      await this.#file?.write(await readBytes(file, this.#synced, bytes - this.#synced), this.#synced);
    } finally {
      await file.close();
    }
  }

  #noteSynced(progress: Progress): void {
    this.#synced = progress.bytes;
    this.#options.progress.note(progress);
  }

  async #begin(number: number): Promise<void> {
    const { disk, folder, segments, lock, durability, onEnded } = this.#options;
    const name = { number, generation: 0 };
    const path = segmentPath(folder, name);
    this.checkPlace();
    // A failed attempt may have left something behind; nothing in it was ever acknowledged.
    await disk.remove(path).catch(() => undefined);
    await this.#closeFile();
    this.#file = await SegmentFile.create(disk, path, durability);
    const { identity } = await lock.add(path);
    if (identity !== this.#file.identity) throw new MovedError();
    const segment = new Segment(name, path, this.#options.lastSeq());
    segment.durability = durability;
    const { after } = segment;
    const header = encodeSegmentHeader({ format: JOURNAL_FORMAT, segment: number, after, durability });
    await this.#file.write(header, 0);
    if (durability === 'process') await this.#file.sync();
    this.#synced = header.length;
    await disk.syncFolder(folder);
    segment.bytes = header.length;
    segment.frames = 1;
    const ended = segments.last;
    segments.add(segment);
    await lock.keepOnly(path);
    this.#unmarked = false;
    if (ended !== undefined) onEnded(ended);
    // From here on a missing segment is noticed, whatever happens to the notes about its records.
    await this.sync();
  }

  #mark(body: string): Promise<void> {
    return this.#append(encodeFrame('mark', this.#last.frames, body));
  }

  async #append(frame: Buffer): Promise<void> {
    const segment = this.#last;
    await this.#guard(() => this.#writeFile(frame, segment));
    segment.bytes += frame.length;
    segment.frames++;
  }

  /**
   * Writes a frame at the end of a segment. Throws {@link MovedError} if the segment is not in the
   * journal any more. Checked after the write: then whoever replaces the segment later has this frame.
   */
  async #writeFile(frame: Buffer, { path, bytes }: Segment): Promise<void> {
    if (this.#file === undefined) throw new Error('The segment is not open.');
    this.#checkNowAndThen();
    await this.#file.write(frame, bytes);
    if (!this.#options.lock.on(path).isInPlace()) throw new MovedError();
  }

  /** Not with every write: whoever replaces only the locked file is kept out by the lock on the segment. */
  #checkNowAndThen(): void {
    const now = performance.now();
    if (now - this.#seen < SEEN) return;
    this.checkPlace();
    this.#seen = now;
  }

  #progress(seq: number): Progress {
    const { name, frames, bytes } = this.#last;
    return { segment: name.number, frames, bytes, seq, lists: this.#options.lists() };
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const full = NO_ROOM.has((error as NodeJS.ErrnoException).code ?? '');
      if (this.#fault !== 'suspect') this.#fault = full ? 'unfinished' : 'suspect';
      throw error;
    }
  }

  async #finishFile(length: number): Promise<void> {
    await this.#later?.stop();
    const file = this.#file;
    this.#file = undefined;
    await file?.finish(length);
  }

  async #closeFile(): Promise<void> {
    await this.#later?.stop();
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

async function checkReadable(segment: Segment): Promise<void> {
  const { path, bytes } = segment;
  const frames = readFrames({ path, from: 0, to: bytes, least: bytes });
  for (;;) {
    const step = await frames.next();
    if (step.done !== true) continue;
    if (step.value === undefined) return;
    throw new Error(`${path} can no longer be read at byte ${step.value.offset}.`);
  }
}
