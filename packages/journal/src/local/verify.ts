import { stat } from 'node:fs/promises';
import {
  emptyStream,
  failure,
  type HashText,
  type Refusal,
  type Result,
  refuse,
  success,
  verifyStream,
} from '@proffer/core';
import type { CutOffWrite, JournalFault, VerifyReport } from '../journal.js';
import { nativeSha256 } from '../native-hash.js';
import { realDisk } from './files/index.js';
import { readRemovedList } from './removed-list.js';
import type { Frame } from './segments/index.js';
import {
  changed,
  checkFormat,
  damaged,
  linesOf,
  listFolder,
  parseLine,
  readFrames,
  segmentPath,
} from './segments/index.js';
import { headOf, StreamTable } from './streams/index.js';

/** How far a file is to be read. */
export interface Part {
  readonly path: string;
  readonly bytes: number;
  /** Whether a torn write at its end is no fault. */
  readonly last: boolean;
}

/**
 * Checks a journal's folder without opening it: reads everything, changes nothing, needs no lock. Of a
 * journal that is being written it sees what is there at the moment. Refuses what is not a journal.
 */
export async function verifyLocalJournal(folder: string): Promise<Result<VerifyReport>> {
  const contents = await listFolder(folder);
  if (contents.segments.length === 0) {
    return failure(refuse('journal_damaged', `There is no journal in ${folder}.`, { folder }));
  }
  const format = await checkFormat(folder, realDisk);
  if (!format.ok) return format;
  const parts: Part[] = [];
  for (const [index, name] of contents.segments.entries()) {
    const path = segmentPath(folder, name);
    const last = index === contents.segments.length - 1;
    parts.push({ path, bytes: (await stat(path)).size, last });
  }
  return success(await verifyParts(folder, { parts, removed: contents.removed }));
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
  for (const part of parts) await walk.through(part);
  const { records, heads, faults, cutOff } = walk;
  return { records, streams: heads.size, faults, ...(cutOff === undefined ? {} : { cutOff }) };
}

/** The state of a walk: how far each stream is, and what was wrong. Memory does not grow with the records. */
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

  async through({ path, bytes, last }: Part): Promise<void> {
    for (let from = 0; from < bytes; ) {
      const frames = readFrames({ path, from, to: bytes });
      let step = await frames.next();
      for (; step.done !== true; step = await frames.next()) this.#frame(path, step.value);
      if (step.value === undefined) return;
      const { offset, next } = step.value;
      if (last && step.value.cutOff) this.cutOff = { file: path, offset, bytes: step.value.bytes };
      else if (last) this.report({ file: path, offset, refusal: changed(path, step.value) });
      else this.report({ file: path, offset, refusal: damaged(path, offset, 'a batch is not whole') });
      from = next ?? bytes;
    }
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
    // What is removed may be on disk for a while yet.
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
