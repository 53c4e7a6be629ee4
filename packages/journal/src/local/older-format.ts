import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { failure, type Result, success } from '@proffer/core';
import { type JsonValue, objectOf } from '@proffer/core/json';
import { StreamTable } from '../streams/stream-table.js';
import { lossesPath } from './losses.js';
import {
  damaged,
  formatPath,
  listFolder,
  missing,
  readFrames,
  readingFile,
  removedPath,
  type SegmentName,
  scanSegment,
  segmentPath,
  snapshotPath,
} from './segments/index.js';

/**
 * Refuses a folder that says it is of an older format, but was once of a newer one. An older format
 * demands less, so what is missing would not be noticed. What shows it is a file that only a newer
 * format has. Format 1 has no progress file, so its last segment must be there, and not be one after
 * which another was begun.
 */
export async function checkOlderFormat(folder: string, format: number): Promise<Result<undefined>> {
  const { segments, removed } = await listFolder(folder);
  const paths = [
    ...segments.map((name) => segmentPath(folder, name)),
    ...removed.map((number) => removedPath(folder, number)),
  ];
  for (const path of paths) {
    const read = await readingFile(path, async () => success(await formatOf(path)));
    if (read.ok && read.value > format) return failure(wasNewer(folder, { format, path, found: read.value }));
  }
  return format === 1 ? checkFirstFormat(folder, segments) : success(undefined);
}

async function checkFirstFormat(
  folder: string,
  segments: readonly SegmentName[],
): Promise<Result<undefined>> {
  const names = new Set((await readdir(folder)).map((name) => join(folder, name)));
  const newer = [snapshotPath(folder), lossesPath(folder)].find((path) => names.has(path));
  if (newer !== undefined) return failure(wasNewer(folder, { format: 1, path: newer, found: 2 }));
  const last = segments.at(-1);
  const next = { number: (last?.number ?? 0) + 1, generation: 0 };
  if (last === undefined) return failure(missing(segmentPath(folder, next)));
  const path = segmentPath(folder, last);
  const read = await readingFile(path, async () =>
    success(await scanSegment(path, last, { table: new StreamTable() })),
  );
  const isEnded = read.ok && read.value.segment?.ended === true;
  return isEnded ? failure(missing(segmentPath(folder, next))) : success(undefined);
}

interface Newer {
  readonly format: number;
  /** A file that shows another format, and which one. */
  readonly path: string;
  readonly found: number;
}

function wasNewer(folder: string, { format, path, found }: Newer) {
  const what = `it says format ${format}, but ${basename(path)} has format ${found} or later`;
  return damaged(formatPath(folder), 0, what, { format, newer: path });
}

/** No first frame is longer. */
const FIRST_FRAME = 512;

/** The format in the first frame of a file; 0 if it has none. Throws what `openToRead` does. */
async function formatOf(path: string): Promise<number> {
  const frames = readFrames({ path, from: 0 }, FIRST_FRAME);
  try {
    const { value: frame, done } = await frames.next();
    if (done === true || frame.kind !== 'segment') return 0;
    return Number(objectOf(JSON.parse(frame.body.toString()) as JsonValue)['format']) || 0;
  } finally {
    await frames.return(undefined);
  }
}
