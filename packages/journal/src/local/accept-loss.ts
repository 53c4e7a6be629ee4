import { copyFile, readdir, rename } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { failure, REFUSALS, type Refusal, type Result, success } from '@proffer/core';
import type { AcceptedLoss } from '../journal.js';
import { makeFolder, realDisk, refusingNoFileAccess } from './files/index.js';
import { lockFolder } from './lock-folder.js';
import { writeLoss } from './losses.js';
import {
  formatPath,
  listFolder,
  type Progress,
  ProgressFile,
  progressPath,
  readFormat,
  readingFile,
  type Segment,
  writeFormat,
} from './segments/index.js';
import { type Survey, survey } from './survey.js';

export interface AcceptLossOptions {
  /** The time to record, in milliseconds since 1970. */
  readonly now: number;
  /** Only reports what would be done. Default false. */
  readonly dryRun?: boolean;
}

/**
 * Repairs a journal that is damaged, or whose end is missing, so that it opens again: keeps
 * everything up to the first damage, moves the rest into a folder next to it, and records what was
 * done. No `seq` is assigned twice. Returns nothing if nothing is wrong. Refuses a journal in use,
 * and an unknown format. May be interrupted at any point and called again.
 */
export function acceptLoss(
  path: string,
  options: AcceptLossOptions,
): Promise<Result<AcceptedLoss | undefined>> {
  const folder = resolve(path);
  return refusingNoFileAccess(folder, 'write', () => repair(folder, options));
}

async function repair(
  folder: string,
  { now, dryRun = false }: AcceptLossOptions,
): Promise<Result<AcceptedLoss | undefined>> {
  const format = await readingFile(formatPath(folder), () => readFormat(folder));
  if (!format.ok) return format;
  const locked = await lockFolder(folder);
  if (!locked.ok) return locked;
  try {
    const found = await survey(folder, format.value);
    const { last, kept, reached, faults } = found;
    if (faults.length === 0) return success(undefined);
    // What may not be read is not lost.
    const noAccess = faults.find(({ code }) => code === 'unusable_folder');
    if (noAccess !== undefined) return failure(noAccess);
    const loss: AcceptedLoss = {
      at: now,
      faults: faults.map(withoutAdvice),
      kept,
      reached,
      ...(last === undefined ? {} : { file: last.path, offset: last.bytes }),
      ...(found.behind.length === 0 ? {} : { movedTo: await nextLost(folder) }),
    };
    if (!dryRun) await accept(folder, found, loss);
    return success(loss);
  } finally {
    await locked.value.release();
  }
}

async function accept(folder: string, found: Survey, loss: AcceptedLoss): Promise<void> {
  const { last, behind, reached, latest } = found;
  if (loss.movedTo !== undefined) {
    makeFolder(loss.movedTo);
    for (const path of behind) {
      const to = join(loss.movedTo, basename(path));
      if (path === last?.path) await copyFile(path, to);
      else await rename(path, to);
    }
    await realDisk.syncFolder(loss.movedTo);
  }
  if (last !== undefined) await cutOff(last);
  // They may refer to records that are gone.
  for (const name of await readdir(folder))
    if (name.endsWith('.index')) await realDisk.remove(join(folder, name));
  await writeLoss(realDisk, folder, loss);
  const progress = await ProgressFile.open(realDisk, progressPath(folder), latest);
  const lists = (await listFolder(folder)).removed.length;
  await progress.sync(progressAt(last, { seq: reached, lists }));
  await progress.close();
  await writeFormat(folder, realDisk);
}

async function cutOff({ path, bytes }: Segment): Promise<void> {
  const file = await realDisk.open(path, 'existing');
  try {
    await file.truncate(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

function progressAt(last: Segment | undefined, { seq, lists }: Pick<Progress, 'seq' | 'lists'>): Progress {
  const { name, frames, bytes } = last ?? { name: { number: 0 }, frames: 0, bytes: 0 };
  return { segment: name.number, frames, bytes, seq, lists };
}

/** The problems, without the usual advice: it is being followed. */
function withoutAdvice({ code, message }: Refusal): string {
  return message.replace(REFUSALS[code].advice, '').trimEnd();
}

/** A new folder for the data that is moved away. */
async function nextLost(folder: string): Promise<string> {
  const taken = (await readdir(folder)).filter((name) => /^lost-\d+$/.test(name));
  return join(folder, `lost-${taken.length + 1}`);
}
