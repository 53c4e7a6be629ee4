import type { HashText } from '@proffer/core';
import { judgeVisible } from '@proffer/core/operations';
import { type SealedRecord, type StreamHead, verifyStream } from '@proffer/core/records';
import { describeUnexplained } from '@proffer/core/words';
import type { PlacedRecord } from './read-records.js';

/** What verifying the records that somebody sees has shown. */
export interface SeenVerdict {
  readonly records: number;
  readonly streams: number;
  /** Streams with records that we may not see; only the visible part could be checked. */
  readonly partial: number;
  /** Records about proposals that were decided again. */
  readonly decided: number;
  /** Records that could not be, because earlier ones of the same proposal are not there. */
  readonly incomplete: number;
  /** Records that this release cannot read, and what follows them. */
  readonly unreadable: number;
  /** The problems, in core's words; empty if everything is intact. */
  readonly problems: readonly string[];
}

export interface VerifyOptions {
  /** The name of the space. */
  readonly space: string;
  /** Called now and then with how many records are checked. */
  readonly onProgress?: (done: number) => void;
  /** A faster SHA-256 if the host has one. */
  readonly hash?: HashText;
}

/** How often progress is told, in records. */
const TURN = 500;

/**
 * Checks that every record is what was sealed and follows the one before it, and decides each again, by core's own
 * rules: as far as what we see allows.
 */
export function verifyRecords(
  records: readonly PlacedRecord[],
  { space, onProgress, hash }: VerifyOptions,
): SeenVerdict {
  const hashing = hash === undefined ? {} : { hash };
  const streams = byStream(records);
  const problems: string[] = [];
  let partial = 0;
  let steps = 0;
  // Every record is looked at twice.
  const step = (): void => {
    if (++steps % TURN === 0) onProgress?.(Math.floor(steps / 2));
  };
  for (const stream of streams.values()) {
    const runs = withoutGaps(stream);
    if (runs.length > 1 || stream[0]?.version !== 1) partial++;
    for (const run of runs) {
      const [first] = run;
      const from = first === undefined || first.version === 1 ? {} : { from: before(first) };
      const result = verifyStream(run, { ...from, ...hashing });
      if (!result.ok) problems.push(result.refusal.message);
      run.forEach(step);
    }
  }
  const judge = judgeVisible({ name: space, ...hashing });
  for (const [at, record] of records.entries()) {
    const next = records[at + 1];
    judge.judge(record, next?.stream === record.stream ? next : undefined);
    step();
  }
  const { faults, ...counts } = judge.found;
  for (const fault of faults) problems.push(describeUnexplained(fault, fault.record as PlacedRecord));
  return { records: records.length, streams: streams.size, partial, ...counts, problems };
}

function byStream(records: readonly PlacedRecord[]): ReadonlyMap<string, readonly PlacedRecord[]> {
  const streams = new Map<string, PlacedRecord[]>();
  for (const record of records) {
    const known = streams.get(record.stream);
    if (known === undefined) streams.set(record.stream, [record]);
    else known.push(record);
  }
  return streams;
}

/** With restricted visibility, some records are missing; adjacent ones are checked. */
function withoutGaps(stream: readonly PlacedRecord[]): readonly (readonly SealedRecord[])[] {
  const runs: SealedRecord[][] = [];
  for (const { seq: _seq, ...record } of stream) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.version === record.version - 1) run.push(record);
    else runs.push([record]);
  }
  return runs;
}

/** The chain end before a record, as the record itself names it. */
function before({ stream, version, prev }: SealedRecord): StreamHead {
  return { stream, version: version - 1, hash: prev };
}
