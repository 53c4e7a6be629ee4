import type { Disk, DiskFile } from '../files/index.js';
import { HOLDER_BYTES, pad, readWhole } from '../files/index.js';
import { encodeProgress, type NumberedProgress, type Progress, parseProgress } from './progress.js';

/** Two places take turns, each in a sector of its own: a power cut may spoil one of them. */
const PLACES = 2;
const PLACE_BYTES = 512;

/** How long a line is, with the spaces after it. The longest numbers fit. */
const LINE_BYTES = 192;

const SPACE = 0x20;

/** Notes are on the disk after this many milliseconds at most. */
const LATEST_SYNC = 1000;

/**
 * The file that says how far the journal got, next to the segments, so that a missing end is noticed. Each commit notes
 * it when its records are on the disk, and before anyone is told. A note costs a few microseconds: the system has it
 * and keeps it if this process dies. A power cut may take the notes of the last second, so what it says may be too
 * little, but never too much.
 */
export class ProgressFile {
  readonly #file: DiskFile;
  readonly #line = pad('', LINE_BYTES);
  #latest: NumberedProgress;
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> = Promise.resolve();

  private constructor(file: DiskFile, latest: NumberedProgress) {
    this.#file = file;
    this.#latest = latest;
  }

  /** Opens the file, which must exist, to go on from what it says. */
  static async open(disk: Disk, path: string, latest: NumberedProgress): Promise<ProgressFile> {
    return new ProgressFile(await disk.open(path, 'note'), latest);
  }

  get latest(): Progress {
    return this.#latest.progress;
  }

  /**
   * Notes how far the journal is. Never fails: if the disk fails, the old note is still true, and the next one repeats
   * everything.
   */
  note(progress: Progress): void {
    try {
      this.#write(progress);
    } catch {
      return;
    }
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#syncing = this.#file.datasync().catch(() => undefined);
    }, LATEST_SYNC);
    // What is not on the disk when the process ends is with the system.
    this.#timer.unref();
  }

  /** Notes it; returns when it is on the disk. Throws what the disk says. */
  async sync(progress: Progress): Promise<void> {
    this.#write(progress);
    await this.#file.datasync();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#syncing;
    await this.#file.close().catch(() => undefined);
  }

  #write(progress: Progress): void {
    const next = { number: this.#latest.number + 1, progress };
    const position = HOLDER_BYTES + (next.number % PLACES) * PLACE_BYTES;
    const length = this.#line.write(encodeProgress(next), 'latin1');
    // The line before may have been longer.
    this.#line.fill(SPACE, length, LINE_BYTES - 1);
    this.#file.note(this.#line, position);
    this.#latest = next;
  }
}

/** The latest that a file says; `undefined` if it says nothing that is whole. Throws what `openToRead` does. */
export async function readProgress(path: string): Promise<NumberedProgress | undefined> {
  const text = (await readWhole(path)).toString('latin1');
  let latest: NumberedProgress | undefined;
  for (let place = 0; place < PLACES; place++) {
    const start = HOLDER_BYTES + place * PLACE_BYTES;
    const found = parseProgress(text.slice(start, start + LINE_BYTES));
    if (found !== undefined && found.number > (latest?.number ?? 0)) latest = found;
  }
  return latest;
}
