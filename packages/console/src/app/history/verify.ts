import { type SealedRecord, type StreamHead, verifyStream } from '@proffer/core/records';
import type { PlacedRecord } from './read-records.js';

/** The result of verifying the hash chains. */
export interface ChainVerdict {
  readonly records: number;
  readonly streams: number;
  /** Streams with records that we may not see; only the visible part could be checked. */
  readonly partial: number;
  /** The problems, in core's words; empty if everything is intact. */
  readonly problems: readonly string[];
}

/** Records checked before yielding to the page. */
const TURN = 500;

/**
 * Checks that every record is what was sealed and follows the one before it, stream by stream, by core's own rules.
 * Keeps the page responsive.
 */
export async function verifyRecords(
  records: readonly PlacedRecord[],
  onProgress: (done: number) => void,
): Promise<ChainVerdict> {
  const streams = new Map<string, PlacedRecord[]>();
  for (const record of records) {
    const known = streams.get(record.stream);
    if (known === undefined) streams.set(record.stream, [record]);
    else known.push(record);
  }
  const problems: string[] = [];
  let partial = 0;
  let done = 0;
  let turn = 0;
  for (const stream of streams.values()) {
    const runs = withoutGaps(stream);
    if (runs.length > 1 || stream[0]?.version !== 1) partial++;
    for (const run of runs) {
      const [first] = run;
      const result = verifyStream(
        run,
        first === undefined || first.version === 1 ? {} : { from: before(first) },
      );
      if (!result.ok) problems.push(result.refusal.message);
    }
    done += stream.length;
    turn += stream.length;
    if (turn < TURN) continue;
    turn = 0;
    onProgress(done);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { records: records.length, streams: streams.size, partial, problems };
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
