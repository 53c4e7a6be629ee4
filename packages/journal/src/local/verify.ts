import { isDeepStrictEqual } from 'node:util';
import { failure, type HashText, type Refusal, type Result, success } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { emptyStream, verifyStream } from '@proffer/core/records';
import type { CutOffWrite, JournalFault, VerifyReport } from '../journal.js';
import { nativeSha256 } from '../native-hash.js';
import { headOf, StreamTable } from '../streams/stream-table.js';
import { refusingNoFileAccess } from './files/index.js';
import { noJournal, readFolder } from './folder-state.js';
import { readLosses } from './losses.js';
import { readRemovedList } from './removed-list.js';
import {
  type Contents,
  changed,
  cutOffWrite,
  damaged,
  type Frame,
  isEnd,
  linesOf,
  listFolder,
  listsMissing,
  lost,
  missing,
  NO_PROGRESS,
  type Progress,
  parseLine,
  readFrames,
  readingFile,
  type Segment,
  segmentPath,
} from './segments/index.js';

/** A segment to check. */
export interface Part {
  readonly path: string;
  /** How far to read. Default: the end of the file. */
  readonly to?: number;
  /** Everything before this byte must be there. A break after it is a write that was cut off. */
  readonly least: number;
  /** Whether its end must be marked. */
  readonly ended: boolean;
}

/** Everything known about a segment. */
export function partOf({ path, bytes, ended }: Segment): Part {
  return { path, to: bytes, least: bytes, ended };
}

/**
 * Checks a journal's folder without opening it: reads everything, changes nothing, needs no lock.
 * While a journal is being written it sees the current state. Refuses anything but a journal.
 */
export function verifyLocalJournal(folder: string): Promise<Result<VerifyReport>> {
  return refusingNoFileAccess(folder, 'read', () => verifyFolder(folder));
}

async function verifyFolder(folder: string): Promise<Result<VerifyReport>> {
  // First of all: a journal that is being written only grows.
  const state = await readFolder(folder);
  if (!state.ok) return state;
  if (state.value.format === undefined) {
    return failure(noJournal(folder));
  }
  const progress = state.value.latest?.progress ?? NO_PROGRESS;
  for (let attempt = 1; ; attempt++) {
    const contents = await listFolder(folder);
    const report = await verifyContents(folder, contents, progress);
    // Retention may have replaced a file that was about to be read.
    const { segments } = await listFolder(folder);
    const isSame = isDeepStrictEqual(segments.slice(0, contents.segments.length), contents.segments);
    if (!isSame && attempt < MAX_ATTEMPTS) continue;
    // What may not be read is not damaged.
    const noAccess = report.faults.find(({ refusal }) => refusal.code === 'unusable_folder');
    return noAccess === undefined ? success(report) : failure(noAccess.refusal);
  }
}

/** How often to read again while retention is changing the journal. */
const MAX_ATTEMPTS = 5;

async function verifyContents(
  folder: string,
  { segments, removed }: Contents,
  progress: Progress,
): Promise<VerifyReport> {
  const faults: JournalFault[] = [];
  if (removed.length < progress.lists) faults.push({ refusal: listsMissing(folder, removed, progress) });
  const parts: Part[] = [];
  const lastNumber = Math.max(progress.segment, segments.at(-1)?.number ?? 0);
  for (let number = 1; number <= lastNumber; number++) {
    const name = segments.find((one) => one.number === number);
    const path = segmentPath(folder, name ?? { number, generation: 0 });
    const least = number === progress.segment ? progress.bytes : 0;
    if (name === undefined) faults.push({ file: path, offset: 0, refusal: missing(path) });
    else parts.push({ path, least, ended: number < lastNumber });
  }
  const found = await verifyParts(folder, { parts, removed });
  const losses = await readLosses(folder);
  return { ...found, faults: [...faults, ...found.faults], ...(losses.length === 0 ? {} : { losses }) };
}

/** Walks the given parts of a journal and the lists of removed streams. */
export async function verifyParts(
  folder: string,
  { parts, removed }: { readonly parts: readonly Part[]; readonly removed: readonly number[] },
  hash: HashText = nativeSha256,
): Promise<VerifyReport> {
  const walk = new Walk(hash);
  for (const number of removed) {
    const read = await readRemovedList(folder, number, (one) =>
      walk.heads.merge(one.stream, { ...one, removed: one.version }),
    );
    if (!read.ok) walk.report({ refusal: read.refusal });
  }
  for (const part of parts) {
    const read = await readingFile(part.path, async () => success(await walk.through(part)));
    if (!read.ok) walk.report({ file: part.path, offset: 0, refusal: read.refusal });
  }
  const { records, heads, faults, cutOff } = walk;
  return {
    records,
    streams: heads.size,
    faults,
    ...defined({ removed: heads.removed || undefined, cutOff }),
  };
}

/**
 * The state of a walk: how far each stream is, and the problems found. Memory does not grow with the
 * records.
 */
class Walk {
  readonly heads = new StreamTable();
  readonly faults: JournalFault[] = [];
  cutOff: CutOffWrite | undefined;
  records = 0;
  readonly #faulty = new Set<string>();
  readonly #hash: HashText;

  constructor(hash: HashText) {
    this.#hash = hash;
  }

  report(fault: JournalFault): void {
    this.faults.push(fault);
  }

  async through({ path, to, least, ended }: Part): Promise<void> {
    const until = defined({ to });
    const fault = (offset: number, refusal: Refusal): void => this.report({ file: path, offset, refusal });
    let end = 0;
    let isEnded = false;
    for (let from: number | undefined = 0; from !== undefined; ) {
      const frames = readFrames({ path, from, least, ...until });
      let step = await frames.next();
      for (; step.done !== true; step = await frames.next()) {
        this.#frame(path, step.value);
        end = step.value.end;
        isEnded = isEnd(step.value);
      }
      const broken = step.value;
      from = broken?.next;
      if (broken === undefined) break;
      const { offset, cutOff } = broken;
      if (!ended && cutOff) {
        // The next start drops everything from here on.
        this.cutOff = cutOffWrite(path, broken);
        return;
      }
      if (offset < least && broken.next === undefined) fault(offset, lost(path, offset, least));
      else if (ended) fault(offset, damaged(path, offset, 'a batch is incomplete'));
      else fault(offset, changed(path, broken));
      if (from === undefined) return;
    }
    if (ended && !isEnded) fault(end, damaged(path, end, 'its end is missing'));
  }

  #frame(path: string, frame: Frame): void {
    if (frame.kind !== 'batch') return;
    const start = frame.end - frame.body.length;
    for (const { line, offset } of linesOf(frame.body))
      this.#line(line, { file: path, offset: start + offset });
  }

  #line(line: string, place: { readonly file: string; readonly offset: number }): void {
    this.records++;
    const parsed = parseLine(line);
    if (!parsed.ok) return this.report({ ...place, refusal: parsed.refusal });
    const { record } = parsed.value;
    const { stream, version } = record;
    const known = this.heads.get(stream);
    // Removed records may stay on disk for a while.
    if (version <= (known?.removed ?? 0) || this.#faulty.has(stream)) return;
    const from = known === undefined ? emptyStream(stream) : { stream, ...known };
    const verified = verifyStream([record], { from, hash: this.#hash });
    if (!verified.ok) {
      this.#faulty.add(stream);
      this.report({ ...place, stream, version, refusal: atPlace(verified.refusal, place) });
    }
    this.heads.merge(stream, headOf(record));
  }
}

function atPlace(refusal: Refusal, place: { readonly file: string; readonly offset: number }): Refusal {
  return { ...refusal, details: { ...refusal.details, ...place } };
}
