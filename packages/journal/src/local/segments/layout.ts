import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeRow } from '../../tree-store.js';
import { DRAFT } from '../files/index.js';

const SEGMENT = /^(\d{8})\.(\d{4})\.segment$/;
const REMOVED = /^removed-(\d{8})\.list$/;

/** A segment's file. Each compaction gives it a new generation; the highest counts. */
export interface SegmentName {
  readonly number: number;
  readonly generation: number;
}

export function segmentPath(folder: string, { number, generation }: SegmentName): string {
  return join(folder, `${digits(number, 8)}.${digits(generation, 4)}.segment`);
}

/** The file of a segment's index. It can be rebuilt at any time. */
export function indexPath(path: string): string {
  return path.replace(/\.segment$/, '.index');
}

/**
 * The progress file. To copy a folder that is being written, copy this file first, as it is in name
 * order: a copy may have more than it says, not less.
 */
export function progressPath(folder: string): string {
  return join(folder, '00000000.progress');
}

/** The snapshot file. Optional: it may be removed at any time. */
export function snapshotPath(folder: string): string {
  return join(folder, 'state.snapshot');
}

/** A file of the tree over the records: its entries, or the hashes of a level. */
export function treePath(folder: string, row: TreeRow): string {
  return join(folder, `tree.${row}`);
}

/** The file that lists the streams removed by a compaction. */
export function removedPath(folder: string, number: number): string {
  return join(folder, `removed-${digits(number, 8)}.list`);
}

/** The content of a journal's folder. */
export interface Contents {
  /** In order, the highest generation of each. */
  readonly segments: readonly SegmentName[];
  /** The numbers of the lists of removed streams, in order. */
  readonly removed: readonly number[];
  /** Unfinished files and replaced generations, which are unused. */
  readonly leftovers: readonly string[];
}

export async function listFolder(folder: string): Promise<Contents> {
  const segments = new Map<number, SegmentName>();
  const removed: number[] = [];
  const leftovers: string[] = [];
  const drop = (name: SegmentName): void => {
    const path = segmentPath(folder, name);
    leftovers.push(path, indexPath(path));
  };
  for (const file of (await readdir(folder)).sort()) {
    const segment = SEGMENT.exec(file);
    if (segment !== null) {
      const name = { number: Number(segment[1]), generation: Number(segment[2]) };
      const older = segments.get(name.number);
      if (older !== undefined) drop(older);
      segments.set(name.number, name);
    }
    const list = REMOVED.exec(file);
    if (list !== null) removed.push(Number(list[1]));
    if (file.endsWith(DRAFT)) leftovers.push(join(folder, file));
  }
  return { segments: [...segments.values()], removed, leftovers };
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
