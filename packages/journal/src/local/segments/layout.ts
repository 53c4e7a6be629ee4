import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, failure, isJsonObject, type JsonValue, type Result, refuse, success } from '@proffer/core';
import { type Disk, DRAFT, writeWhole } from '../files/index.js';

/** The version of the folder's format. Every version ever released must be readable for ever. */
export const JOURNAL_FORMAT = 1;

const FORMAT_FILE = 'format.json';
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

/** Where the index of a segment is kept. It can be made again at any time. */
export function indexPath(path: string): string {
  return path.replace(/\.segment$/, '.index');
}

/** Where the streams are listed that a compaction removed. */
export function removedPath(folder: string, number: number): string {
  return join(folder, `removed-${digits(number, 8)}.list`);
}

/** What is in a journal's folder. */
export interface Contents {
  /** In order, the highest generation of each. */
  readonly segments: readonly SegmentName[];
  /** The numbers of the lists of removed streams, in order. */
  readonly removed: readonly number[];
  /** Unfinished files and replaced generations: nothing needs them. */
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

/** Writes the format's version into a new folder, or checks that this is a version that can be read. */
export async function checkFormat(folder: string, disk: Disk): Promise<Result<undefined>> {
  const path = join(folder, FORMAT_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return readFormat(text, path);
  const { segments, removed } = await listFolder(folder);
  if (segments.length + removed.length > 0) {
    return failure(
      refuse('journal_damaged', `${path} is missing, but there are segments beside it.`, { file: path }),
    );
  }
  const format = `${JSON.stringify({ journal: 'proffer', format: JOURNAL_FORMAT })}\n`;
  await writeWhole(disk, path, [Buffer.from(format)]);
  await disk.syncFolder(folder);
  return success(undefined);
}

function readFormat(text: string, path: string): Result<undefined> {
  let value: JsonValue = null;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // What is not JSON has no version either.
  }
  const found = isJsonObject(value) ? value['format'] : undefined;
  if (found === JOURNAL_FORMAT) return success(undefined);
  return failure(
    refuse('unknown_journal_format', `${path} names format ${describe(found)}.`, {
      file: path,
      found: found ?? null,
      expected: JOURNAL_FORMAT,
    }),
  );
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
