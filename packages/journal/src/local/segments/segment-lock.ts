import { type Result, success } from '@proffer/core';
import { type Lock, lockExisting, type Use } from '../files/index.js';
import { readingFile } from './damage.js';
import { listFolder, segmentPath } from './layout.js';
import { MovedError } from './segment-file.js';

/**
 * The lock on the segment that is written. The lock on the folder is on a file with a name, and that
 * name can be given to another file while a gateway runs. Whoever finds that other file free still
 * cannot write to the same segment.
 */
export class SegmentLock {
  readonly #locks = new Map<string, Lock>();

  private constructor() {}

  /**
   * Locks the last segment in a folder, if there is one. The writer of a segment holds it until it has
   * locked the next one, so the one before is locked, too: the last one may not be locked yet.
   * Returns nothing if another process holds one of them.
   */
  static async ofLast(folder: string, use: Use): Promise<Result<SegmentLock | undefined>> {
    for (;;) {
      const lock = new SegmentLock();
      const last = await lastTwo(folder);
      for (const [index, path] of last.entries()) {
        const how = index === last.length - 1 ? use : 'read';
        const taken = await readingFile(path, async () => success(await lockExisting(path, how)), how);
        if (taken.ok && taken.value !== undefined) lock.#locks.set(path, taken.value);
        // Nobody can be writing to what is not a file.
        else if (taken.ok || taken.refusal.code !== 'journal_damaged') {
          await lock.release();
          return taken.ok ? success(undefined) : taken;
        }
      }
      // Their holder may have gone on to the next segment before they were locked.
      if ((await lastTwo(folder)).join() === last.join()) return success(lock);
      await lock.release();
    }
  }

  /** The lock on a segment. Throws {@link MovedError} if it is not held. */
  on(path: string): Lock {
    const lock = this.#locks.get(path);
    if (lock === undefined) throw new MovedError();
    return lock;
  }

  /** Locks a segment that was just created. */
  async add(path: string): Promise<Lock> {
    // A failed attempt may have left one with the same name.
    await this.#locks.get(path)?.release();
    this.#locks.delete(path);
    const lock = await lockExisting(path, 'write');
    if (lock === undefined) throw new MovedError();
    this.#locks.set(path, lock);
    return lock;
  }

  /** Releases all others: this one is written from here on. */
  async keepOnly(path: string): Promise<void> {
    for (const [other, lock] of this.#locks) {
      if (other === path) continue;
      this.#locks.delete(other);
      await lock.release();
    }
  }

  async release(): Promise<void> {
    await this.keepOnly('');
  }
}

async function lastTwo(folder: string): Promise<readonly string[]> {
  const { segments } = await listFolder(folder);
  return segments.slice(-2).map((name) => segmentPath(folder, name));
}
