import { failure, type Result, success } from '@proffer/core';
import { isJsonObject, type JsonValue } from '@proffer/core/json';
import { JournalError } from '../journal-error.js';
import { type Disk, writeWhole } from './files/index.js';
import {
  damaged,
  END,
  encodeFrame,
  JOURNAL_FORMAT,
  linesOf,
  listFolder,
  readFrames,
  readingFile,
  removedPath,
} from './segments/index.js';

/** A stream removed by retention, up to a version. */
export type RemovedStream = {
  readonly stream: string;
  readonly version: number;
  readonly hash: string;
  readonly seq: number;
};

const PER_FRAME = 1000;

/** The lists of removed streams in a folder. */
export class RemovedLists {
  readonly #folder: string;
  readonly #disk: Disk;
  #numbers: readonly number[];

  constructor(folder: string, disk: Disk, numbers: readonly number[]) {
    this.#folder = folder;
    this.#disk = disk;
    this.#numbers = numbers;
  }

  /** Their numbers, in order. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** Writes one more. The streams in it are removed when this returns, all at the same moment. */
  async add(removed: readonly RemovedStream[]): Promise<void> {
    const number = (this.#numbers.at(-1) ?? 0) + 1;
    await writeRemovedList(this.#disk, this.#folder, { number, removed });
    this.#numbers = [...this.#numbers, number];
  }
}

/**
 * Records which streams are removed. They are removed from the moment the list has its name, whatever
 * is still in the segments.
 */
async function writeRemovedList(
  disk: Disk,
  folder: string,
  { number, removed }: { readonly number: number; readonly removed: readonly RemovedStream[] },
): Promise<void> {
  function* frames(): Generator<Buffer> {
    let frame = 0;
    yield encodeFrame('segment', frame++, `${JSON.stringify({ format: JOURNAL_FORMAT, removed: number })}\n`);
    for (let start = 0; start < removed.length; start += PER_FRAME) {
      const lines = removed.slice(start, start + PER_FRAME).map((one) => `${JSON.stringify(one)}\n`);
      yield encodeFrame('batch', frame++, lines.join(''));
    }
    yield encodeFrame('mark', frame, END);
  }
  await writeWhole(disk, removedPath(folder, number), frames());
  await disk.syncFolder(folder);
}

/**
 * Reads a list and passes each removed stream to `take`. Lists are written atomically, so anything
 * incomplete is damage.
 */
export function readRemovedList(
  folder: string,
  number: number,
  take: (removed: RemovedStream) => void,
): Promise<Result<undefined>> {
  const path = removedPath(folder, number);
  return readingFile(path, () => readList(path, take));
}

/**
 * Every stream that retention has removed from the journal in a folder, each once. Throws if a list
 * is damaged.
 */
export async function readRemoved(folder: string): Promise<readonly RemovedStream[]> {
  const removed = new Map<string, RemovedStream>();
  for (const number of (await listFolder(folder)).removed) {
    const read = await readRemovedList(folder, number, (one) => removed.set(one.stream, one));
    if (!read.ok) throw new JournalError(read.refusal);
  }
  return [...removed.values()];
}

async function readList(path: string, take: (removed: RemovedStream) => void): Promise<Result<undefined>> {
  const frames = readFrames({ path, from: 0 });
  let ended = 0;
  let offset = 0;
  for (;;) {
    const step = await frames.next();
    if (step.done === true) {
      if (step.value === undefined && ended > 0) return success(undefined);
      return failure(
        damaged(path, step.value?.offset ?? offset, 'the list of removed streams is incomplete'),
      );
    }
    offset = step.value.end;
    if (step.value.kind === 'mark') ended++;
    if (step.value.kind !== 'batch') continue;
    for (const { line } of linesOf(step.value.body)) {
      const removed = parseRemoved(JSON.parse(line) as JsonValue);
      if (removed === undefined) return failure(damaged(path, step.value.offset, 'a line names no stream'));
      take(removed);
    }
  }
}

function parseRemoved(value: JsonValue): RemovedStream | undefined {
  if (!isJsonObject(value)) return undefined;
  const { stream, version, hash, seq } = value;
  if (typeof stream !== 'string' || typeof hash !== 'string') return undefined;
  return { stream, version: Number(version), hash, seq: Number(seq) };
}
