import { type Refusal } from '@proffer/core';
import { spaceOf } from '../../stored-record.js';
import { headOf, keyOf, type StreamKey, type StreamTable } from '../../streams/stream-table.js';
import type { Break } from './break.js';
import { damaged } from './damage.js';
import type { Frame } from './frame.js';
import { readFrames } from './frame-reader.js';
import type { SegmentName } from './layout.js';
import { linesOf, parseLine } from './record-line.js';
import { Segment } from './segment.js';
import { parseSegmentHeader } from './segment-header.js';

/** The result of reading a whole segment. */
export interface Scan {
  /** Absent if it has no first frame, and nothing else that is complete. */
  readonly segment?: Segment;
  /** The streams that have records in it. */
  readonly streams: ReadonlySet<StreamKey>;
  /** The position after the last complete frame, if anything follows it. */
  readonly broken?: Break;
  /** Why it stopped before that: a complete frame in the wrong place. */
  readonly fault?: Refusal;
}

export interface ScanOptions {
  /** The table to add its records to. */
  readonly table: StreamTable;
  /** Everything before this byte was acknowledged, so it must be there. Default 0. */
  readonly least?: number;
}

/**
 * Reads a segment from its start to the first position without a complete frame, and adds its records
 * to the table. The caller judges that position. Throws what `openToRead` does.
 */
export async function scanSegment(
  path: string,
  name: SegmentName,
  { table, least = 0 }: ScanOptions,
): Promise<Scan> {
  const frames = readFrames({ path, from: 0, least });
  const streams = new Set<StreamKey>();
  let segment: Segment | undefined;
  const scanned = (rest: Pick<Scan, 'broken' | 'fault'>): Scan => ({
    streams,
    ...(segment === undefined ? {} : { segment }),
    ...rest,
  });
  try {
    for (;;) {
      const step = await frames.next();
      if (step.done === true) {
        const broken = step.value;
        if (broken === undefined) return scanned({});
        const isWrong = segment === undefined && !broken.cutOff;
        return scanned(isWrong ? { broken, fault: noFirstFrame(path) } : { broken });
      }
      const frame = step.value;
      const header = segment === undefined ? parseSegmentHeader(frame) : undefined;
      if (header?.segment === name.number) {
        segment = new Segment(name, path, header.after);
        segment.format = header.format;
        segment.durability = header.durability;
      }
      if (segment === undefined || frame.number !== segment.frames || segment.ended) {
        const what = 'this data belongs somewhere else in the journal';
        return scanned({ fault: damaged(path, frame.offset, what) });
      }
      const fault = takeFrame(frame, segment, { table, streams });
      if (fault !== undefined) return scanned({ fault });
    }
  } finally {
    await frames.return(undefined);
  }
}

/** The refusal for a file without the required first frame. */
export function noFirstFrame(path: string): Refusal<'journal_damaged'> {
  return damaged(path, 0, 'it does not start with a segment header');
}

function takeFrame(
  frame: Frame,
  segment: Segment,
  found: { readonly table: StreamTable; readonly streams: Set<StreamKey> },
): Refusal | undefined {
  if (frame.kind === 'batch') {
    for (const { line, offset } of linesOf(frame.body)) {
      const parsed = parseLine(line);
      if (!parsed.ok) return parsed.refusal;
      const { record } = parsed.value;
      if (offset === 0) segment.noteBatch(record.seq, frame.offset);
      segment.noteRecord(spaceOf(record.stream), record.seq);
      const key = keyOf(record.stream);
      found.streams.add(key);
      found.table.mergeBy(key, headOf(record));
    }
  }
  segment.ended = isEnd(frame);
  segment.closed = frame.kind === 'mark' && frame.body.toString() === CLOSED;
  segment.frames++;
  segment.bytes = frame.end;
  return undefined;
}

/** The body of the mark that completes a segment. */
export const END = '{"mark":"end"}\n';
/** The body of the mark that a journal leaves when it is closed; more may follow it. */
export const CLOSED = '{"mark":"closed"}\n';

/** Whether a frame is the mark that completes a segment. */
export function isEnd({ kind, body }: Frame): boolean {
  return kind === 'mark' && body.toString() === END;
}
