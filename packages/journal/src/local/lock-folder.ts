import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { type Holder, type Lock, lockExisting, lockFile, readHolder, type Use } from './files/index.js';
import type { FolderState } from './folder-state.js';
import { progressPath, readingFile, SegmentLock } from './segments/index.js';

/** A folder that belongs to this process until it is released, or the process ends. */
export interface FolderLock {
  /** Whether the folder and its locked file are still where they were. */
  isInPlace(): boolean;
  /** On the last segment. */
  readonly segment: SegmentLock;
  release(): Promise<void>;
}

/**
 * Locks a folder for this process. The lock is on the progress file, without which a journal does not
 * open: so removing the locked file does not let another process in. The last segment is locked, too:
 * so replacing the locked file does not either. Refuses a folder that another process holds.
 */
export async function lockFolder(folder: string): Promise<Result<FolderLock>> {
  const path = progressPath(folder);
  const locked = await readingFile(path, async () => success(await lockFile(path)), 'write');
  if (!locked.ok) return locked;
  if (!('release' in locked.value)) return failure(heldBy(folder, locked.value));
  return withSegment(folder, { file: locked.value, use: 'write' });
}

/** Locks a folder against writers; others may read it at the same time. Changes nothing in it. */
export async function lockToRead(folder: string, { latest }: FolderState): Promise<Result<FolderLock>> {
  // The first format has no progress file. Its segments are locked all the same.
  if (latest === undefined) return withSegment(folder, { use: 'read' });
  const path = progressPath(folder);
  const locked = await readingFile(path, async () => success(await lockExisting(path, 'read')));
  if (!locked.ok) return locked;
  if (locked.value === undefined) return failure(heldBy(folder, await readHolder(path)));
  return withSegment(folder, { file: locked.value, use: 'read' });
}

async function withSegment(
  folder: string,
  { file, use }: { readonly file?: Lock; readonly use: Use },
): Promise<Result<FolderLock>> {
  try {
    const locked = await SegmentLock.ofLast(folder, use);
    if (!locked.ok || locked.value === undefined) {
      await file?.release();
      return locked.ok ? failure(heldBy(folder, {})) : locked;
    }
    const segment = locked.value;
    return success({
      isInPlace: () => file?.isInPlace() ?? true,
      segment,
      async release() {
        await segment.release();
        await file?.release();
      },
    });
  } catch (error) {
    await file?.release();
    throw error;
  }
}

/** The refusal for a folder that another process holds. */
function heldBy(folder: string, { pid }: Holder): Refusal<'journal_locked'> {
  const who = pid === undefined ? 'Another process' : `The process ${pid}`;
  const details = pid === undefined ? { folder } : { folder, pid };
  return refuse('journal_locked', `${who} is using the journal in ${folder}.`, details);
}
