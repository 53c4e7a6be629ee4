import type { CompactOptions, CompactReport } from '../journal.js';
import type { StoredRecord } from '../stored-record.js';
import { spaceOf } from '../stored-record.js';
import { keyOf, type StreamKey } from '../streams/stream-table.js';
import { type Disk, writeWhole } from './files/index.js';
import type { RemovedStream } from './removed-list.js';
import type { SegmentList } from './segments/index.js';
import {
  END,
  encodeFrame,
  encodeSegmentHeader,
  framesOf,
  indexPath,
  JOURNAL_FORMAT,
  linesOf,
  parseLine,
  Segment,
  segmentPath,
  writeIndex,
} from './segments/index.js';
import type { StreamHeads } from './streams/index.js';

/** The inputs of a compaction. */
interface Compactable {
  readonly disk: Disk;
  readonly folder: string;
  readonly segments: SegmentList;
  readonly heads: Pick<StreamHeads, 'get' | 'merge' | 'noted'>;
  /** The version of a stream once what is in flight is durable. */
  readonly plannedVersion: (stream: string) => number;
  readonly isRemoved: (record: StoredRecord) => boolean;
  /** Throws if the folder is no longer the locked one. */
  readonly checkPlace: () => void;
  /** Whether to stop early: the journal is being closed. */
  readonly isStopping: () => boolean;
}

/** How many streams are removed at a time, which bounds memory use. */
const AT_ONCE = 100_000;

/**
 * Removes streams from completed segments. The streams are removed atomically, when the list of them
 * gets its name; taking their records out of the segments only frees space and may be interrupted
 * anywhere. Remaining lines are copied unchanged.
 *
 * @param remove - writes the list
 */
export async function compactSegments(
  journal: Compactable,
  options: CompactOptions,
  remove: (streams: readonly RemovedStream[]) => Promise<void>,
): Promise<CompactReport> {
  // Segments completed in the meantime are left to the next compaction, or this one might never
  // finish.
  const ended = journal.segments.all.slice(0, -1);
  let streams = 0;
  for (;;) {
    const found = journal.isStopping() ? [] : await findRemovable(journal, ended, options);
    // A stream that has grown in the meantime stays.
    const removed = found.filter(({ stream, version }) => journal.plannedVersion(stream) === version);
    if (removed.length === 0) break;
    journal.checkPlace();
    await remove(removed);
    for (const { stream, ...entry } of removed) {
      journal.heads.merge(stream, { ...entry, removed: entry.version });
    }
    streams += removed.length;
  }
  let records = 0;
  for (const segment of ended) {
    if (journal.isStopping()) break;
    records += await rewrite(journal, segment);
  }
  return { streams, records };
}

async function findRemovable(
  { heads, isRemoved }: Compactable,
  segments: readonly Segment[],
  { before, keep }: CompactOptions,
): Promise<readonly RemovedStream[]> {
  const found: RemovedStream[] = [];
  for (const segment of segments) {
    for await (const { record } of recordsOf(segment)) {
      const { stream, version, hash, seq, time } = record;
      if (time >= before || heads.get(stream)?.seq !== seq || isRemoved(record) || keep(record)) continue;
      found.push({ stream, version, hash, seq });
      if (found.length === AT_ONCE) return found;
    }
  }
  return found;
}

async function* recordsOf(
  segment: Segment,
): AsyncGenerator<{ readonly record: StoredRecord; readonly line: string }> {
  for await (const frame of framesOf(segment, 0)) {
    if (frame.kind !== 'batch') continue;
    for (const { line } of linesOf(frame.body)) {
      const parsed = parseLine(line);
      if (parsed.ok) yield { record: parsed.value.record, line };
    }
  }
}

/** Rewrites a segment without the removed records; returns how many were removed. */
async function rewrite(journal: Compactable, old: Segment): Promise<number> {
  const { disk, folder, segments, heads, isRemoved } = journal;
  let gone = 0;
  for await (const { record } of recordsOf(old)) if (isRemoved(record)) gone++;
  if (gone === 0) return 0;
  const name = { number: old.name.number, generation: old.name.generation + 1 };
  const path = segmentPath(folder, name);
  const segment = new Segment(name, path, old.after);
  const streams = new Set<StreamKey>();
  journal.checkPlace();
  await writeWhole(disk, path, keptFrames(old, { segment, streams, isRemoved }));
  await disk.syncFolder(folder);
  segments.replace(old, segment);
  await writeIndex(disk, segment, [...streams], heads.noted()).catch(() => undefined);
  // Readers of the old file keep it until they are done; later readers find the new one.
  await disk.remove(old.path).catch(() => undefined);
  await disk.remove(indexPath(old.path)).catch(() => undefined);
  return gone;
}

async function* keptFrames(
  old: Segment,
  to: {
    readonly segment: Segment;
    readonly streams: Set<StreamKey>;
    readonly isRemoved: (record: StoredRecord) => boolean;
  },
): AsyncGenerator<Buffer> {
  const { segment, streams, isRemoved } = to;
  const added = (frame: Buffer): Buffer => {
    segment.frames++;
    segment.bytes += frame.length;
    return frame;
  };
  const next = (kind: 'batch' | 'mark', body: string): Buffer =>
    added(encodeFrame(kind, segment.frames, body));
  const { name, after, durability } = segment;
  yield added(encodeSegmentHeader({ format: JOURNAL_FORMAT, segment: name.number, after, durability }));
  for await (const frame of framesOf(old, 0)) {
    if (frame.kind !== 'batch') continue;
    let kept = '';
    const offset = segment.bytes;
    for (const { line } of linesOf(frame.body)) {
      const parsed = parseLine(line);
      if (!parsed.ok || isRemoved(parsed.value.record)) continue;
      const { record } = parsed.value;
      if (kept === '') segment.noteBatch(record.seq, offset);
      segment.noteRecord(spaceOf(record.stream), record.seq);
      streams.add(keyOf(record.stream));
      kept += `${line}\n`;
    }
    if (kept !== '') yield next('batch', kept);
  }
  yield next('mark', END);
  segment.ended = true;
}
