import { crc32 } from 'node:zlib';
import { isJsonObject, type JsonValue } from '@proffer/core/json';
import { type Disk, type DiskFile, HOLDER_BYTES, pad, readWhole } from '../files/index.js';

/**
 * How far a journal got: all of this was acknowledged, or could have been, so all of it must be
 * there. There may be more.
 */
export interface Progress {
  /** The number of the last segment; 0 before the first one. */
  readonly segment: number;
  /** How many frames and bytes the last segment has. */
  readonly frames: number;
  readonly bytes: number;
  /** The highest `seq`. Later ones are higher, even if this record is lost. */
  readonly seq: number;
  /** How many lists of removed streams there are. */
  readonly lists: number;
}

/** A journal without a record. */
export const NO_PROGRESS: Progress = { segment: 0, frames: 0, bytes: 0, seq: 0, lists: 0 };

/** One of several lines about the same journal; the highest number is the latest. */
export interface NumberedProgress {
  readonly number: number;
  readonly progress: Progress;
}

/** Formats one as a line, with a checksum of everything before it. */
function encodeProgress({ number, progress }: NumberedProgress): string {
  const { segment, frames, bytes, seq, lists } = progress;
  const text = `{"progress":${number},"segment":${segment},"frames":${frames},"bytes":${bytes},"seq":${seq},"lists":${lists}`;
  return `${text},"crc":"${crc32(text).toString(16).padStart(8, '0')}"}`;
}

/** Parses a line; `undefined` if it is incomplete or damaged. */
function parseProgress(line: string): NumberedProgress | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { progress: number, segment, frames, bytes, seq, lists } = value;
  const found = { number, progress: { segment, frames, bytes, seq, lists } } as NumberedProgress;
  // The checksum shows that every field is there, and is a number.
  return encodeProgress(found) === line.trimEnd() ? found : undefined;
}

/** Two slots take turns, each in its own sector: a power cut may corrupt one of them. */
const PLACES = 2;
const PLACE_BYTES = 512;

/** The length of a line, padded with spaces. The longest numbers fit. */
const LINE_BYTES = 192;

const SPACE = 0x20;

/** Notes are on disk after this many milliseconds at most. */
const LATEST_SYNC = 1000;

/** What is told how far the journal got. */
export type ProgressWriter = Pick<ProgressFile, 'note' | 'sync' | 'close'>;

/**
 * The file that records how far the journal got, next to the segments, so that a missing end is
 * noticed. Each commit makes a note when its records are on disk, before anyone is notified. A note
 * costs a few microseconds: it is handed to the system and survives if this process dies. A power cut
 * may lose the notes of the last second, so the file may say too little, but never too much.
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

  /** Opens the existing file and continues from its content. */
  static async open(disk: Disk, path: string, latest: NumberedProgress): Promise<ProgressFile> {
    return new ProgressFile(await disk.open(path, 'note'), latest);
  }

  /**
   * Notes how far the journal is. Never fails: if the disk fails, the old note is still true, and the
   * next one repeats everything.
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
    // Notes that are not on disk when the process ends are with the system.
    this.#timer.unref();
  }

  /** Notes it; returns when it is on disk. Throws the disk's error. */
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
    // The previous line may have been longer.
    this.#line.fill(SPACE, length, LINE_BYTES - 1);
    this.#file.note(this.#line, position);
    this.#latest = next;
  }
}

/** The latest valid note in a file; `undefined` if there is none. Throws what `openToRead` does. */
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
