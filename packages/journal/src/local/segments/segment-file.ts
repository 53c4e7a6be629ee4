import { type Disk, type DiskFile, writeFully } from '../files/index.js';

/** A file grows by at least this many zeros at a time, and doubles up to the second number. */
const LEAST_GROWTH = 262_144;
const MOST_GROWTH = 4 * 1_048_576;
const ZEROS = Buffer.alloc(1_048_576);

/**
 * The file of the last segment. It is filled with zeros ahead of what is written, because a write inside a file is on
 * the disk much sooner than one that also makes the file longer. The zeros are written while no one waits, except for
 * the first.
 */
export class SegmentFile {
  readonly #file: DiskFile;
  /** Up to here there are bytes already; infinite when there is no room to grow ahead. */
  #allocated: number;
  #growing: Promise<void> | undefined;

  private constructor(file: DiskFile, length: number) {
    this.#file = file;
    this.#allocated = length;
  }

  /** Makes a new, empty file. */
  static async create(disk: Disk, path: string): Promise<SegmentFile> {
    return new SegmentFile(await disk.open(path, 'new'), 0);
  }

  /** Opens a file and cuts off all but its first bytes; throws if it is another file. */
  static async open(
    disk: Disk,
    path: string,
    { length, identity }: { readonly length: number; readonly identity: string | undefined },
  ): Promise<SegmentFile> {
    const file = await disk.open(path, 'existing');
    try {
      if (identity !== undefined && file.identity !== identity) throw new MovedError('last segment');
      await file.truncate(length);
      await file.datasync();
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    return new SegmentFile(file, length);
  }

  /** What the system knows the file by. */
  get identity(): string {
    return this.#file.identity;
  }

  /**
   * Writes bytes at a position, the end of what was written before; they are on the disk when it returns. Throws {@link
   * MovedError} if they could not be found there.
   */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    const end = position + bytes.length;
    if (end > this.#allocated) {
      // Zeros on their way must not overtake the bytes.
      await this.#growing;
      if (end > this.#allocated) await this.#grow(position, end);
    } else if (this.#allocated - end < growthAfter(end) / 2) {
      this.#growing ??= this.#grow(this.#allocated, this.#allocated);
    }
    const written = writeFully(this.#file, bytes, position);
    // While the disk works.
    const isInPlace = this.#file.isInPlace();
    await written;
    if (!isInPlace) throw new MovedError('last segment');
  }

  /** Cuts off the zeros after the last byte written, and closes the file. */
  async finish(length: number): Promise<void> {
    await this.#growing;
    try {
      await this.#file.truncate(length);
    } finally {
      await this.close();
    }
  }

  /** Closes the file as it is. */
  async close(): Promise<void> {
    await this.#growing;
    await this.#file.close().catch(() => undefined);
  }

  async #grow(from: number, end: number): Promise<void> {
    const target = end + growthAfter(end);
    try {
      for (let at = from; at < target; at += ZEROS.length) {
        await writeFully(this.#file, ZEROS.subarray(0, Math.min(ZEROS.length, target - at)), at);
      }
      this.#allocated = target;
    } catch {
      // There may still be room enough for the records themselves, which then make the file longer.
      this.#allocated = Number.POSITIVE_INFINITY;
    } finally {
      this.#growing = undefined;
    }
  }
}

/**
 * A file of the journal is no longer where it was. Nothing may be written: another process may use what is there now.
 */
export class MovedError extends Error {
  readonly code = 'MOVED';

  /** @param what - one that says nothing about where the journal is: senders of messages read it */
  constructor(what: 'folder' | 'last segment') {
    super(`its ${what} was moved, removed or replaced while it was open`);
    this.name = 'MovedError';
  }
}

function growthAfter(length: number): number {
  return Math.min(MOST_GROWTH, Math.max(LEAST_GROWTH, length));
}
