import { constants } from 'node:fs';
import { chmod, copyFile, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { failure, type Result, success } from '@proffer/core';
import type { CopyReport } from '../backend.js';
import { EVERY_SPACE } from '../journal.js';
import { copyTree } from '../tree-store.js';
import { checkWritable, makeFolder, realDisk, refusingNoFileAccess } from './files/index.js';
import { noJournal, readFolder } from './folder-state.js';
import { lossesPath } from './losses.js';
import { openLocalJournal } from './open-local-journal.js';
import { readRemoved } from './removed-list.js';
import { formatPath, listFolder, progressPath, removedPath, segmentPath } from './segments/index.js';
import { createTreeFiles, type TreeFiles } from './tree-files.js';
import { verifyLocalJournal } from './verify.js';

/** How often to look for a segment that retention has just rewritten. */
const MAX_ATTEMPTS = 10;

/**
 * Copies a journal from one folder into another, even while a gateway uses it: everything
 * acknowledged before the call is in the copy; later records may be. The copy is complete only once
 * its progress file is written: until then it cannot be opened. Refuses a source without a journal,
 * and a target that is not empty.
 */
export async function copyLocalJournal(from: string, to: string): Promise<Result<CopyReport>> {
  const source = resolve(from);
  const target = resolve(to);
  const state = await readFolder(source);
  if (!state.ok) return state;
  if (state.value.format === undefined) return failure(noJournal(source));
  const made = await refusingNoFileAccess(target, 'write', async () => {
    makeFolder(target);
    const refusal = await checkWritable(target);
    return refusal === undefined ? success(undefined) : failure(refusal);
  });
  if (!made.ok) return made;
  if ((await readdir(target)).length > 0) {
    const message = `${target} is not empty. Copy into a new folder.`;
    // Without the usual advice: the folder is fine, just not as a target.
    return failure({ code: 'unusable_folder', message, details: { folder: target } });
  }
  return refusingNoFileAccess(source, 'read', async () => {
    await copyFiles(source, target);
    const report = await reportOf(target);
    // After the records: the tree has everything that retention removed meanwhile.
    if (report.ok) await copyTreeFiles(source, target, report.value.seq);
    return report;
  });
}

async function copyFiles(source: string, target: string): Promise<void> {
  // First of all: a copy may have more than this says, not less.
  // The first format has none.
  const progress = await readFile(progressPath(source)).catch(ignoreMissing);
  for (const { number } of (await listFolder(source)).segments) await copySegment(source, target, number);
  // After the segments: anything retention took out of them is in its lists by then.
  const { removed } = await listFolder(source);
  for (const number of removed) await copyDurably(removedPath(source, number), removedPath(target, number));
  await copyDurably(lossesPath(source), lossesPath(target)).catch(ignoreMissing);
  if (progress !== undefined) {
    await writeFile(progressPath(target), progress, { mode: 0o600 });
    await syncFile(progressPath(target));
  }
  await copyDurably(formatPath(source), formatPath(target));
  await realDisk.syncFolder(target);
}

async function copyTreeFiles(source: string, target: string, lastSeq: number): Promise<void> {
  const [from, to] = [source, target].map((folder) =>
    createTreeFiles({ folder, disk: realDisk, checkPlace: () => {} }),
  ) as [TreeFiles, TreeFiles];
  try {
    await copyTree(from, to, lastSeq);
  } finally {
    await to.close();
  }
}

async function copySegment(source: string, target: string, number: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { segments } = await listFolder(source);
    const name = segments.find((segment) => segment.number === number) ?? { number, generation: 0 };
    try {
      return await copyDurably(segmentPath(source, name), segmentPath(target, name));
    } catch (error) {
      // Retention has replaced the file.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function reportOf(folder: string): Promise<Result<CopyReport>> {
  const verified = await verifyLocalJournal(folder);
  if (!verified.ok) return verified;
  const [fault] = verified.value.faults;
  if (fault !== undefined) return failure(fault.refusal);
  const opened = await openLocalJournal(folder);
  if (!opened.ok) return opened;
  const seq = await opened.value.lastSeq(EVERY_SPACE);
  await opened.value.close();
  const removed = (await readRemoved(folder)).length;
  return success({ records: verified.value.records, removed, seq });
}

async function copyDurably(from: string, to: string): Promise<void> {
  // If the file system supports it, the copy takes no space until one of the two changes.
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  // A copy of a read-only file would be read-only, too.
  await chmod(to, 0o600);
  await syncFile(to);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
