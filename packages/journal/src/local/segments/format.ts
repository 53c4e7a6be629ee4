import { join } from 'node:path';
import { failure, type Result, refuse, success } from '@proffer/core';
import { describe, type JsonValue, objectOf } from '@proffer/core/json';
import { type Disk, readWhole, writeWhole } from '../files/index.js';

/**
 * The version of the folder's format. Every version ever released must be readable for ever. Since
 * version 2 the folder must contain a progress file. Since version 3 the first frame of every segment
 * and of every list of removed streams has the version, too, so that the folder cannot pass for an
 * older one.
 */
export const JOURNAL_FORMAT = 3;

/** What segments and lists of the versions before 3 say. */
export const OLDER_FORMAT = 1;

/** The readable versions. */
const READABLE: ReadonlySet<unknown> = new Set([1, 2, JOURNAL_FORMAT]);

export function formatPath(folder: string): string {
  return join(folder, 'format.json');
}

/** The version of a folder's format; `undefined` if it has none yet. Refuses one that cannot be read. */
export async function readFormat(folder: string): Promise<Result<number | undefined>> {
  const path = formatPath(folder);
  let text: string;
  try {
    text = (await readWhole(path)).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return success(undefined);
    throw error;
  }
  let value: JsonValue = null;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // Anything but JSON has no version either.
  }
  const found = objectOf(value)['format'];
  if (READABLE.has(found)) return success(Number(found));
  return failure(
    refuse('unknown_journal_format', `${path} has format ${describe(found)}.`, {
      file: path,
      found: found ?? null,
      expected: JOURNAL_FORMAT,
    }),
  );
}

/** Writes this version as the folder's format. */
export async function writeFormat(folder: string, disk: Disk): Promise<void> {
  const format = `${JSON.stringify({ journal: 'proffer', format: JOURNAL_FORMAT })}\n`;
  await writeWhole(disk, formatPath(folder), [Buffer.from(format)]);
  await disk.syncFolder(folder);
}
