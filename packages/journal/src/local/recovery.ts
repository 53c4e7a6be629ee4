import { failure, type Result, success } from '@proffer/core';
import type { SpaceScope } from '../feed.js';
import { type CutOffWrite, EVERY_SPACE } from '../journal.js';
import { spaceOf } from '../stored-record.js';
import { type StreamKey, StreamTable } from '../streams/stream-table.js';
import type { Disk } from './files/index.js';
import { readRemovedList } from './removed-list.js';
import {
  changed,
  cutOffWrite,
  damaged,
  listFolder,
  listsMissing,
  lost,
  MOST_UNSYNCED,
  missing,
  noFirstFrame,
  type Progress,
  readIndex,
  readingFile,
  SegmentList,
  type SegmentName,
  scanSegment,
  segmentPath,
  writeIndex,
} from './segments/index.js';

/** What opening a journal found to be wrong, and fixed or, if opened read-only, ignored. */
export interface Recovery {
  /** A write that was cut short: dropped. It was never acknowledged, except with durability `process`. */
  readonly dropped?: CutOffWrite;
}

/** Everything known about a journal once its folder is read. */
export interface Recovered {
  readonly segments: SegmentList;
  readonly table: StreamTable;
  readonly lastSeqs: Map<SpaceScope, number>;
  /** The streams of the last segment, if it was read. */
  readonly touched?: StreamKey[];
  /** The numbers of the lists of removed streams. */
  readonly removed: readonly number[];
  readonly recovery: Recovery;
}

/**
 * Reads a journal's folder. A torn write at the very end is dropped; any other damage is refused with
 * its position, because something acknowledged may be lost (I-1).
 *
 * @param progress - what must be there
 */
export async function recover(folder: string, disk: Disk, progress: Progress): Promise<Result<Recovered>> {
  const contents = await listFolder(folder);
  const known = {
    segments: new SegmentList(),
    table: new StreamTable(),
    lastSeqs: new Map<SpaceScope, number>(),
  };
  const note = (space: SpaceScope, seq: number): void => {
    known.lastSeqs.set(space, Math.max(seq, known.lastSeqs.get(space) ?? 0));
  };
  const { removed } = contents;
  if (removed.length < progress.lists) return failure(listsMissing(folder, removed, progress));
  for (const number of removed) {
    const read = await readRemovedList(folder, number, ({ stream, version, hash, seq }) => {
      known.table.merge(stream, { version, hash, seq, removed: version });
      note(spaceOf(stream), seq);
      note(EVERY_SPACE, seq);
    });
    if (!read.ok) return read;
  }
  let last: LastSegment = { recovery: {} };
  for (const [index, name] of contents.segments.entries()) {
    const path = segmentPath(folder, name);
    if (name.number !== index + 1) {
      return failure(missing(segmentPath(folder, { number: index + 1, generation: 0 })));
    }
    const isLast = index === contents.segments.length - 1;
    const read = await readingFile(path, () =>
      readSegment(path, name, { ...known, disk, ...(isLast ? { progress } : {}) }),
    );
    if (!read.ok) return read;
    last = read.value;
  }
  if (progress.segment > (known.segments.last?.name.number ?? 0)) {
    return failure(missing(segmentPath(folder, { number: progress.segment, generation: 0 })));
  }
  for (const path of contents.leftovers) await disk.remove(path).catch(() => undefined);
  for (const segment of known.segments.all) {
    note(EVERY_SPACE, segment.after);
    for (const [space, seq] of segment.lastSeqs) note(space, seq);
  }
  note(EVERY_SPACE, progress.seq);
  const newest = known.segments.last;
  // Records of which nothing is left may have been seen, and their numbers are not given out again.
  if (newest?.durability === 'process' && !newest.closed && !newest.ended)
    note(EVERY_SPACE, (known.lastSeqs.get(EVERY_SPACE) ?? 0) + MOST_UNSYNCED);
  return success({ ...known, ...last, removed });
}

interface LastSegment {
  readonly touched?: StreamKey[];
  readonly recovery: Recovery;
}

interface Known {
  readonly segments: SegmentList;
  readonly table: StreamTable;
  readonly disk: Disk;
  /** How much of the last segment must be there; absent for those before it. */
  readonly progress?: Progress;
}

async function readSegment(path: string, name: SegmentName, known: Known): Promise<Result<LastSegment>> {
  const { progress } = known;
  if (progress !== undefined) return readLast(path, name, { ...known, progress });
  const indexed = await readIndex(path, name, known.table);
  if (indexed === undefined) return readEnded(path, name, known);
  known.segments.add(indexed);
  return success({ recovery: {} });
}

async function readLast(
  path: string,
  name: SegmentName,
  known: Known & { readonly progress: Progress },
): Promise<Result<LastSegment>> {
  const least = known.progress.segment === name.number ? known.progress.bytes : 0;
  const { segment, streams, broken, fault } = await scanSegment(path, name, { table: known.table, least });
  if (fault !== undefined) return failure(fault);
  const dropped = broken === undefined ? {} : { dropped: cutOffWrite(path, broken) };
  if (segment === undefined) {
    // The power failed while the file was being created. The writer creates it again.
    const begun = known.segments.last?.ended ?? name.number === 1;
    return begun ? success({ recovery: dropped }) : failure(noFirstFrame(path));
  }
  if (broken !== undefined && broken.offset < least) return failure(lost(path, broken.offset, least));
  if (broken !== undefined && (segment.ended || !broken.cutOff)) return failure(changed(path, broken));
  known.segments.add(segment);
  return success({ touched: [...streams], recovery: dropped });
}

async function readEnded(path: string, name: SegmentName, known: Known): Promise<Result<LastSegment>> {
  const { segment, streams, broken, fault } = await scanSegment(path, name, { table: known.table });
  if (fault !== undefined) return failure(fault);
  if (segment === undefined) return failure(noFirstFrame(path));
  if (broken !== undefined) return failure(damaged(path, broken.offset, 'a batch is incomplete'));
  if (!segment.ended) return failure(damaged(path, segment.bytes, 'its end is missing'));
  known.segments.add(segment);
  // The index only saves time; without it the next start reads the segment again.
  await writeIndex(known.disk, segment, [...streams], known.table).catch(() => undefined);
  return success({ recovery: {} });
}
