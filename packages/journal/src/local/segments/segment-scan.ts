import { stat } from 'node:fs/promises';
import { failure, isJsonObject, type JsonValue, type Refusal, type Result, success } from '@proffer/core';
import { spaceOf } from '../../stored-record.js';
import { headOf, type StreamTable } from '../streams/index.js';
import type { Break } from './break.js';
import { damaged } from './damage.js';
import type { Frame } from './frame.js';
import { readFrames } from './frame-reader.js';
import { JOURNAL_FORMAT, type SegmentName } from './layout.js';
import { linesOf, parseLine } from './record-line.js';
import { Segment, type SegmentHeader } from './segment.js';

/** What reading a whole segment gave. */
export interface Scan {
  /** Absent if it has no first frame, and nothing else that is whole. */
  readonly segment?: Segment;
  /** The names of the streams that have records in it. */
  readonly streams: ReadonlySet<string>;
  /** The place after the last whole frame, if there is anything. */
  readonly broken?: Break;
}

/**
 * Reads a segment from its beginning to the first place that holds no whole frame, and enters its
 * records in the table. What to make of that place is for the caller to tell.
 */
export async function scanSegment(
  path: string,
  name: SegmentName,
  table: StreamTable,
): Promise<Result<Scan>> {
  const to = (await stat(path)).size;
  const frames = readFrames({ path, from: 0, to });
  const streams = new Set<string>();
  let segment: Segment | undefined;
  try {
    for (;;) {
      const step = await frames.next();
      if (step.done === true) {
        const broken = step.value;
        if (segment === undefined && broken?.cutOff === false) return failure(notBegun(path));
        return success({
          streams,
          ...(segment === undefined ? {} : { segment }),
          ...(broken === undefined ? {} : { broken }),
        });
      }
      const frame = step.value;
      const header = frame.number === 0 ? parseSegmentHeader(frame, name) : undefined;
      if (segment === undefined && header !== undefined) segment = new Segment(name, path, header.after);
      if (segment === undefined || frame.number !== segment.frames || segment.ended) {
        return failure(damaged(path, frame.offset, 'something stands here that belongs to another place'));
      }
      const taken = takeFrame(frame, segment, { table, streams });
      if (!taken.ok) return taken;
    }
  } finally {
    await frames.return(undefined);
  }
}

/** The refusal for a file that has no first frame where it has to have one. */
export function notBegun(path: string): Refusal<'journal_damaged'> {
  return damaged(path, 0, 'it does not begin as a segment does');
}

function takeFrame(
  frame: Frame,
  segment: Segment,
  found: { readonly table: StreamTable; readonly streams: Set<string> },
): Result<undefined> {
  if (frame.kind === 'batch') {
    for (const { line, offset } of linesOf(frame.body)) {
      const parsed = parseLine(line);
      if (!parsed.ok) return parsed;
      const { record } = parsed.value;
      if (offset === 0) segment.noteBatch(record.seq, frame.offset);
      segment.noteRecord(spaceOf(record.stream), record.seq);
      found.streams.add(record.stream);
      found.table.merge(record.stream, headOf(record));
    }
  }
  segment.ended = frame.kind === 'mark' && isEnd(frame.body);
  segment.frames++;
  segment.bytes = frame.end;
  return success(undefined);
}

/** The body of the mark after which a segment has nothing more. */
export const END = '{"mark":"end"}\n';
/** The body of the mark that a journal leaves when it is closed; more may follow it. */
export const CLOSED = '{"mark":"closed"}\n';

function isEnd(body: Buffer): boolean {
  return body.toString() === END;
}

/** The first frame of a segment, if that is what it is. */
function parseSegmentHeader(frame: Frame, name: SegmentName): SegmentHeader | undefined {
  if (frame.kind !== 'segment') return undefined;
  const value = JSON.parse(frame.body.toString()) as JsonValue;
  if (!isJsonObject(value)) return undefined;
  const { format, segment, after } = value;
  if (format !== JOURNAL_FORMAT || segment !== name.number || typeof after !== 'number') return undefined;
  return { format, segment, after };
}

export function encodeSegmentHeader(segment: number, after: number): string {
  return `${JSON.stringify({ format: JOURNAL_FORMAT, segment, after } satisfies SegmentHeader)}\n`;
}
