import type { Durability } from '../../journal.js';
import { type Disk, type DiskFile, type OpenHow, writeFully } from '../files/index.js';

/** A file grows by at least this many zeros at a time, and doubles up to the second number. */
const LEAST_GROWTH = 262_144;
const MAX_GROWTH = 4 * 1_048_576;
const ZEROS = Buffer.alloc(1_048_576);

/** Up to this many bytes are passed to the system at once, if nobody waits for the disk. */
const LITTLE = 65_536;

/**
 * The file of the last segment. It is filled with zeros ahead of the data, because a write inside a
 * file is on disk much sooner than one that also extends it. The zeros are written while no one
 * waits, except for the first.
 */
export class SegmentFile {
  readonly #file: DiskFile;
  readonly #durability: Durability;
  /** The file has bytes up to here; infinite if there is no space to preallocate. */
  #allocated: number;
  #growing: Promise<void> | undefined;

  private constructor(file: DiskFile, length: number, durability: Durability) {
    this.#file = file;
    this.#durability = durability;
    this.#allocated = length;
  }

  /** Creates a new, empty file. */
  static async create(disk: Disk, path: string, durability: Durability): Promise<SegmentFile> {
    return new SegmentFile(await disk.open(path, HOW[durability].create), 0, durability);
  }

  /** Opens a file and truncates it. Throws {@link MovedError} if it is another file. */
  static async open(
    disk: Disk,
    path: string,
    {
      length,
      identity,
      durability,
    }: { readonly length: number; readonly identity: string; readonly durability: Durability },
  ): Promise<SegmentFile> {
    const file = await disk.open(path, HOW[durability].open);
    try {
      if (file.identity !== identity) throw new MovedError();
      await file.truncate(length);
      await file.datasync();
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    return new SegmentFile(file, length, durability);
  }

  /** The system's identifier of the file. */
  get identity(): string {
    return this.#file.identity;
  }

  /**
   * Writes bytes at a position, the end of what was written before. When it returns, they are on disk, or
   * with durability `process` with the system.
   */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    const end = position + bytes.length;
    if (end > this.#allocated) {
      // Zeros in flight must not overtake the bytes.
      await this.#growing;
      if (end > this.#allocated) await this.#grow(position, end);
    } else if (this.#allocated - end < growthAfter(end) / 2) {
      this.#growing ??= this.#grow(this.#allocated, this.#allocated);
    }
    // Another thread would need longer to begin than the system needs to copy a few bytes.
    if (this.#durability === 'process' && bytes.length <= LITTLE) this.#file.note(bytes, position);
    else await writeFully(this.#file, bytes, position);
  }

  /** Returns when everything written so far is on disk. Throws the disk's error. */
  async sync(): Promise<void> {
    await this.#file.datasync();
  }

  /** Removes the zeros after the last byte written, and closes the file. */
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
      // There may still be enough space for the records themselves, which then extend the file.
      this.#allocated = Number.POSITIVE_INFINITY;
    } finally {
      this.#growing = undefined;
    }
  }
}

/** How a file is opened, so that a write is on disk or only with the system when it returns. */
const HOW: { readonly [Kind in Durability]: { readonly create: OpenHow; readonly open: OpenHow } } = {
  power: { create: 'new', open: 'existing' },
  process: { create: 'draft', open: 'note' },
};

/**
 * A file of the journal is no longer where it was. Nothing may be written: another process may use
 * what is there now.
 */
export class MovedError extends Error {
  readonly code = 'MOVED';

  constructor() {
    // Senders of messages read this: it must not reveal where the journal is.
    super('its folder was moved, or files in it were removed or replaced, while it was open');
    this.name = 'MovedError';
  }
}

function growthAfter(length: number): number {
  return Math.min(MAX_GROWTH, Math.max(LEAST_GROWTH, length));
}
