import { type Refusal, success } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { EVERY_SPACE } from '../journal.js';
import { StreamTable } from '../streams/stream-table.js';
import { checkOlderFormat } from './older-format.js';
import { readRemovedList } from './removed-list.js';
import {
  damaged,
  formatPath,
  JOURNAL_FORMAT,
  listFolder,
  listsMissing,
  lost,
  missing,
  NO_PROGRESS,
  type NumberedProgress,
  noFirstFrame,
  type Progress,
  progressPath,
  readingFile,
  readProgress,
  removedPath,
  type Segment,
  type SegmentName,
  scanSegment,
  segmentPath,
} from './segments/index.js';

/** How much of a damaged journal can be kept: everything up to the first damage. */
export interface Survey {
  /** The last segment that can be kept, up to its `bytes`; absent if none can. */
  readonly last?: Segment;
  /** Files that cannot be kept, or only in part. */
  readonly behind: readonly string[];
  /** The highest `seq` known to have been assigned, and the highest that can be kept. */
  readonly reached: number;
  readonly kept: number;
  /** How far the journal got, according to its progress file. */
  readonly latest: NumberedProgress;
  /** What is wrong; empty if nothing is. */
  readonly faults: readonly Refusal[];
}

/** @param format - the version of the folder's format, if it has one */
export async function survey(folder: string, format: number | undefined): Promise<Survey> {
  const found = await readProgress(progressPath(folder)).catch(() => undefined);
  const latest = found ?? { number: 0, progress: NO_PROGRESS };
  const { progress } = latest;
  const { segments, removed } = await listFolder(folder);
  const faults: Refusal[] = [];
  const behind: string[] = [];
  if (format === undefined) faults.push(missing(formatPath(folder)));
  else if (format > 1 && found === undefined) faults.push(missing(progressPath(folder)));
  if (format !== undefined && format < JOURNAL_FORMAT) {
    const older = await checkOlderFormat(folder, format);
    if (!older.ok) faults.push(older.refusal);
  }
  if (removed.length < progress.lists) faults.push(listsMissing(folder, removed, progress));
  for (const number of removed) {
    const read = await readRemovedList(folder, number, () => undefined);
    if (read.ok) continue;
    faults.push(read.refusal);
    behind.push(removedPath(folder, number));
  }
  const { last, next } = await surveySegments(folder, segments, { progress, faults });
  for (const name of segments.slice(next)) behind.push(segmentPath(folder, name));
  const kept = Math.max(last?.after ?? 0, last?.lastSeqs.get(EVERY_SPACE) ?? 0);
  const reached = Math.max(progress.seq, kept);
  return { behind, reached, kept, latest, faults, ...defined({ last }) };
}

interface Kept {
  readonly last?: Segment;
  /** The index of the first segment that is not kept whole. */
  readonly next: number;
}

async function surveySegments(
  folder: string,
  segments: readonly SegmentName[],
  { progress, faults }: { readonly progress: Progress; readonly faults: Refusal[] },
): Promise<Kept> {
  let last: Segment | undefined;
  for (const [index, name] of segments.entries()) {
    const path = segmentPath(folder, name);
    const isLast = index === segments.length - 1;
    const least = name.number === progress.segment ? progress.bytes : 0;
    const isNext = name.number === index + 1;
    const { segment, fault } = isNext
      ? await surveySegment(path, name, { isLast, least })
      : { segment: undefined, fault: missing(segmentPath(folder, { number: index + 1, generation: 0 })) };
    last = segment ?? last;
    if (fault === undefined) continue;
    faults.push(fault);
    return { next: index, ...defined({ last }) };
  }
  if (progress.segment > (last?.name.number ?? 0)) {
    faults.push(missing(segmentPath(folder, { number: progress.segment, generation: 0 })));
  }
  return { next: segments.length, ...defined({ last }) };
}

async function surveySegment(
  path: string,
  name: SegmentName,
  { isLast, least }: { readonly isLast: boolean; readonly least: number },
): Promise<{ readonly segment?: Segment; readonly fault?: Refusal }> {
  const table = new StreamTable();
  const read = await readingFile(path, async () => success(await scanSegment(path, name, { table, least })));
  if (!read.ok) return { fault: read.refusal };
  const { segment, broken, fault } = read.value;
  if (segment === undefined) return { fault: fault ?? noFirstFrame(path) };
  if (fault !== undefined) return { segment, fault };
  // No one relied on a last write that was cut off.
  if (broken !== undefined && !(isLast && broken.cutOff)) {
    return { segment, fault: lost(path, broken.offset, Math.max(least, broken.offset + broken.bytes)) };
  }
  const isComplete = isLast || segment.ended;
  return isComplete ? { segment } : { segment, fault: damaged(path, segment.bytes, 'its end is missing') };
}
