import type { SpaceScope } from '../../feed.js';
import { type Durability, EVERY_SPACE } from '../../journal.js';
import { JOURNAL_FORMAT } from './format.js';
import type { SegmentName } from './layout.js';

/** At most one position per this many bytes is remembered. */
const MARK_SPACING = 32_768;

/**
 * What is known about a segment without reading it: its length, its spaces, and where to start
 * reading for a given `seq`.
 */
export class Segment {
  readonly name: SegmentName;
  readonly path: string;
  readonly after: number;
  /** The durable length; nothing beyond it is read. */
  bytes = 0;
  /** The number of the next frame. */
  frames = 0;
  /** Whether a mark shows that nothing follows. */
  ended = false;
  /** Whether its last frame is the mark of a journal that was closed. */
  closed = false;
  /** What its first frame says. */
  format = JOURNAL_FORMAT;
  durability: Durability = 'power';
  /** The highest `seq` of the segment, by space. */
  readonly lastSeqs = new Map<SpaceScope, number>();
  /** Positions of frames, with the first `seq` of each. */
  readonly marks: { readonly seq: number; readonly offset: number }[] = [];

  constructor(name: SegmentName, path: string, after: number) {
    this.name = name;
    this.path = path;
    this.after = after;
  }

  /** Adds a frame of records at an offset. */
  noteBatch(firstSeq: number, offset: number): void {
    const last = this.marks.at(-1);
    if (last === undefined || offset - last.offset >= MARK_SPACING)
      this.marks.push({ seq: firstSeq, offset });
  }

  noteRecord(space: string, seq: number): void {
    this.lastSeqs.set(space, seq);
    this.lastSeqs.set(EVERY_SPACE, seq);
  }

  /** Whether it has a record of the space after this `seq`. */
  hasAfter(space: SpaceScope, seq: number): boolean {
    return (this.lastSeqs.get(space) ?? 0) > seq;
  }

  /** Where to start reading for a `seq` and everything after it. */
  seek(seq: number): number {
    let low = 0;
    let high = this.marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.marks[middle]?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return this.marks[low - 1]?.offset ?? 0;
  }
}
