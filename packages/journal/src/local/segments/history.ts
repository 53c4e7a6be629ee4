import type { HistoryChunk, SpaceScope } from '../../feed.js';
import { EVERY_SPACE } from '../../journal.js';
import { JournalError } from '../../journal-error.js';
import { type StoredRecord, spaceOf } from '../../stored-record.js';
import { damaged } from './damage.js';
import type { Frame } from './frame.js';
import { readFrames } from './frame-reader.js';
import { linesOf, parseLine, type RecordLine, startOfLine } from './record-line.js';
import type { Segment } from './segment.js';
import type { SegmentList } from './segment-list.js';

interface HistoryOptions {
  readonly segments: SegmentList;
  /** The highest durable `seq`. */
  readonly lastSeq: () => number;
  /** Whether a record that is still on disk counts as removed. */
  readonly isRemoved: (record: StoredRecord) => boolean;
}

/** The minimum size of a piece of history in bytes, unless it is the last. */
const PIECE_BYTES = 524_288;
const SMALL_READ = 65_536;
const CACHED_FRAMES = 16;
const LARGEST_CACHED = 300_000;

/** Reads records from the segments. Keeps no file open, and never reads beyond what is durable. */
export class HistoryReader {
  readonly #options: HistoryOptions;
  /**
   * The frames that single records were last read from; the records of a stream are often close
   * together.
   */
  readonly #cache: { readonly first: number; readonly last: number; readonly body: Buffer }[] = [];

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  /** The next piece of a space's records after a `seq`. */
  async after(space: SpaceScope, seq: number): Promise<HistoryChunk> {
    const { segments } = this.#options;
    for (let segment = segments.holding(seq + 1) ?? segments.all[0]; segment !== undefined; ) {
      const following = segments.following(segment);
      const end = following?.after ?? this.#options.lastSeq();
      if (!segment.hasAfter(space, seq)) {
        if (following === undefined) return { records: [], upTo: Math.max(end, seq) };
        segment = following;
        continue;
      }
      try {
        return await this.#piece(segment, { space, seq, end });
      } catch (error) {
        const current = segments.holding(segment.after + 1);
        // Compaction has replaced the file in the meantime.
        if (current === segment || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        segment = current;
      }
    }
    return { records: [], upTo: Math.max(this.#options.lastSeq(), seq) };
  }

  /** The record with a `seq`; `undefined` if it is removed. */
  async at(seq: number): Promise<RecordLine | undefined> {
    const cached = this.#cache.find(({ first, last }) => first <= seq && seq <= last);
    if (cached !== undefined) return findLine(cached.body, seq);
    for (;;) {
      const segment = this.#options.segments.holding(seq);
      if (segment === undefined) return undefined;
      try {
        return await this.#find(segment, seq);
      } catch (error) {
        if (this.#options.segments.holding(seq) === segment) throw error;
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  async #piece(
    segment: Segment,
    { space, seq, end }: { readonly space: SpaceScope; readonly seq: number; readonly end: number },
  ): Promise<HistoryChunk> {
    const needle = space === EVERY_SPACE ? '"stream":"' : `"stream":${JSON.stringify(space).slice(0, -1)}`;
    const records: StoredRecord[] = [];
    let bytes = 0;
    for await (const frame of framesOf(segment, segment.seek(seq + 1))) {
      if (frame.kind !== 'batch') continue;
      let last = 0;
      // Most frames of other spaces are skipped without reading their lines.
      if (frame.body.includes(needle)) {
        for (const { line } of linesOf(frame.body)) {
          if (!line.includes(needle)) continue;
          const { record } = parsed(line, segment, frame);
          last = record.seq;
          if (record.seq <= seq || (space !== EVERY_SPACE && spaceOf(record.stream) !== space)) continue;
          if (!this.#options.isRemoved(record)) records.push(record);
        }
        bytes += frame.body.length;
      }
      if (bytes >= PIECE_BYTES && last > seq) return { records, upTo: last };
    }
    return { records, upTo: end };
  }

  async #find(segment: Segment, seq: number): Promise<RecordLine | undefined> {
    for await (const frame of framesOf(segment, segment.seek(seq), SMALL_READ)) {
      if (frame.kind !== 'batch') continue;
      const [first, last] = seqsOf(frame.body);
      if (first > seq) return undefined;
      if (last < seq) continue;
      if (frame.body.length <= LARGEST_CACHED) {
        // A copy, so that the cache does not retain everything that was read with it.
        this.#cache.push({ first, last, body: Buffer.from(frame.body) });
        if (this.#cache.length > CACHED_FRAMES) this.#cache.shift();
      }
      return findLine(frame.body, seq);
    }
    return undefined;
  }
}

/** The frames of a segment up to the durable end; throws if one is damaged. */
export async function* framesOf(segment: Segment, from: number, readAhead?: number): AsyncGenerator<Frame> {
  const { path, bytes } = segment;
  const broken = yield* readFrames({ path, from, to: bytes, least: bytes }, readAhead);
  if (broken === undefined) return;
  const what = broken.bytes === 0 ? 'records that were written here are missing' : 'a batch is incomplete';
  throw new JournalError(damaged(path, broken.offset, what));
}

function parsed(line: string, segment: Segment, frame: Frame): RecordLine {
  const result = parseLine(line);
  if (result.ok) return result.value;
  throw new JournalError(damaged(segment.path, frame.offset, result.refusal.message));
}

function findLine(body: Buffer, seq: number): RecordLine | undefined {
  const start = startOfLine(seq);
  const after = body.indexOf(`\n${start}`);
  const from = body.toString('latin1', 0, start.length) === start ? 0 : after + 1;
  if (from === 0 && after === -1 && body.toString('latin1', 0, start.length) !== start) return undefined;
  const end = body.indexOf('\n', from);
  const result = parseLine(body.toString('utf8', from, end === -1 ? body.length : end));
  return result.ok ? result.value : undefined;
}

function seqsOf(body: Buffer): readonly [first: number, last: number] {
  const lastLine = body.lastIndexOf('\n', body.length - 2) + 1;
  return [seqAt(body, 0), seqAt(body, lastLine)];
}

function seqAt(body: Buffer, offset: number): number {
  return Number(/^\{"seq":(\d+),/.exec(body.toString('latin1', offset, offset + 30))?.[1] ?? 0);
}
