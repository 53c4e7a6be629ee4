import type { Disk } from '../files/index.js';
import { encodeFrame, type FrameKind } from './frame.js';
import { readFrames } from './frame-reader.js';
import { segmentPath } from './layout.js';
import { Segment } from './segment.js';
import { SegmentFile } from './segment-file.js';
import type { SegmentList } from './segment-list.js';
import { CLOSED, END, encodeSegmentHeader } from './segment-scan.js';

export interface WriterOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly segments: SegmentList;
  /** A segment that has grown to this many bytes is ended and the next one begun. */
  readonly segmentBytes: number;
  /** The highest durable `seq`: every record of a new segment comes after it. */
  readonly lastSeq: () => number;
  /** Called when another segment has taken the place of this one as the last. */
  readonly onEnded: (segment: Segment) => void;
}

/** What a full disk says. Nothing that was on it is in doubt then. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Writes the last segment. One call at a time. When a call fails, the file is as if it had not been
 * made: what it may have left is cut off before anything else is written, at once if the disk allows,
 * otherwise before the next write succeeds.
 */
export class SegmentWriter {
  readonly #options: WriterOptions;
  #file: SegmentFile | undefined;
  /** Why the last segment must be put in order before it is written. */
  #fault: 'unopened' | 'unfinished' | 'suspect' | undefined = 'unopened';
  /** Whether batches were written that no mark follows. */
  #unmarked = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Writes lines of records as one frame; returns when they are durable. Throws what the disk says. */
  async write(lines: string, firstSeq: number): Promise<void> {
    await this.repair();
    if (this.#last.bytes >= this.#options.segmentBytes) await this.rotate();
    const segment = this.#last;
    const offset = segment.bytes;
    await this.#append('batch', lines);
    segment.noteBatch(firstSeq, offset);
    this.#unmarked = true;
  }

  /** Ends the last segment and begins the next one, unless there is nothing in it. */
  async rotate(): Promise<void> {
    await this.repair();
    if (this.#last.frames === 1) return;
    await this.#guard(async () => {
      await this.#end(this.#last);
      await this.#begin(this.#last.name.number + 1);
    });
  }

  /**
   * Opens the last segment, or the first of a new journal, and cuts off what is not durable. Does nothing
   * if the last write went well. Throws what the disk says.
   */
  async repair(): Promise<void> {
    const fault = this.#fault;
    if (fault === undefined) return;
    const { disk, segments } = this.#options;
    await this.#guard(async () => {
      await this.#closeFile();
      const segment = segments.last;
      if (segment === undefined) return this.#begin(1);
      this.#file = await SegmentFile.open(disk, segment.path, segment.bytes);
      if (fault === 'suspect') {
        // The system may have given up on what it could not write, so nothing more goes into this file.
        await checkReadable(segment);
        await this.#end(segment);
      }
      if (segment.ended) await this.#begin(segment.name.number + 1);
    });
    this.#fault = undefined;
  }

  /** Leaves a mark that shows that all is there, and closes the file. */
  async close(): Promise<void> {
    if (this.#fault === 'unopened') return;
    try {
      await this.repair();
      if (this.#unmarked) await this.#append('mark', CLOSED);
      await this.#finishFile(this.#last.bytes);
    } finally {
      await this.#closeFile();
    }
  }

  get #last(): Segment {
    const { last } = this.#options.segments;
    if (last === undefined) throw new Error('The journal has no segment yet.');
    return last;
  }

  async #end(segment: Segment): Promise<void> {
    if (!segment.ended) await this.#append('mark', END);
    segment.ended = true;
    await this.#finishFile(segment.bytes);
  }

  async #begin(number: number): Promise<void> {
    const { disk, folder, segments, onEnded } = this.#options;
    const name = { number, generation: 0 };
    const path = segmentPath(folder, name);
    // Something may be left of an attempt that failed; nothing in it was ever acknowledged.
    await disk.remove(path).catch(() => undefined);
    await this.#closeFile();
    this.#file = await SegmentFile.create(disk, path);
    const segment = new Segment(name, path, this.#options.lastSeq());
    const header = encodeFrame('segment', 0, encodeSegmentHeader(number, segment.after));
    await this.#file.write(header, 0);
    await disk.syncFolder(folder);
    segment.bytes = header.length;
    segment.frames = 1;
    const ended = segments.last;
    segments.add(segment);
    this.#unmarked = false;
    if (ended !== undefined) onEnded(ended);
  }

  async #append(kind: FrameKind, body: string): Promise<void> {
    const segment = this.#last;
    const frame = encodeFrame(kind, segment.frames, body);
    await this.#guard(async () => {
      if (this.#file === undefined) throw new Error('The segment is not open.');
      await this.#file.write(frame, segment.bytes);
    });
    segment.bytes += frame.length;
    segment.frames++;
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
    const file = this.#file;
    this.#file = undefined;
    await file?.finish(length);
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

async function checkReadable(segment: Segment): Promise<void> {
  const frames = readFrames({ path: segment.path, from: 0, to: segment.bytes });
  for (;;) {
    const step = await frames.next();
    if (step.done !== true) continue;
    if (step.value === undefined) return;
    throw new Error(`${segment.path} can no longer be read at byte ${step.value.offset}.`);
  }
}
