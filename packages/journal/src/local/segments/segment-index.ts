import { crc32 } from 'node:zlib';
import { EVERY_SPACE } from '../../journal.js';
import { ENTRY_BYTES, type StreamKey, type StreamTable } from '../../streams/stream-table.js';
import { type Disk, openToRead, readBytes, readWhole, writeWhole } from '../files/index.js';
import { JOURNAL_FORMAT, OLDER_FORMAT } from './format.js';
import { encodeFrame } from './frame.js';
import { indexPath, type SegmentName } from './layout.js';
import { Segment } from './segment.js';
import { encodeSegmentHeader } from './segment-header.js';
import { END } from './segment-scan.js';

/** The header of an index file, before the entries of the stream table. */
type IndexHeader = {
  readonly index: 1;
  readonly after: number;
  readonly bytes: number;
  readonly frames: number;
  readonly lastSeq: number;
  readonly lastSeqs: readonly (readonly [space: string, seq: number])[];
  readonly marks: readonly (readonly [seq: number, offset: number])[];
};

const PER_TURN = 1000;

/**
 * Writes what is known about a completed segment, so that the next start need not read it. The heads
 * may be newer than the segment: they belong to durable records, and the later head always counts.
 */
export async function writeIndex(
  disk: Disk,
  segment: Segment,
  streams: readonly StreamKey[],
  table: StreamTable,
): Promise<void> {
  const entries = Buffer.alloc(streams.length * ENTRY_BYTES);
  let count = 0;
  for (const stream of streams) {
    table.encode(stream, entries, count * ENTRY_BYTES);
    // A long list must not delay other messages.
    if (++count % PER_TURN === 0) await new Promise(setImmediate);
  }
  const lastSeqs = [...segment.lastSeqs].flatMap(([space, seq]) =>
    typeof space === 'string' ? [[space, seq] as const] : [],
  );
  const header: IndexHeader = {
    index: 1,
    after: segment.after,
    bytes: segment.bytes,
    frames: segment.frames,
    lastSeq: segment.lastSeqs.get(EVERY_SPACE) ?? 0,
    lastSeqs,
    marks: segment.marks.map(({ seq, offset }) => [seq, offset]),
  };
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), entries]);
  await writeWhole(disk, indexPath(segment.path), [Buffer.from(`${checksum(body)}\n`), body]);
}

/**
 * Reads a segment's index; `undefined` if there is none that matches the file. The file must have its
 * recorded length, first and last frame; what is in between is checked when it is read. Throws what
 * `openToRead` does for the segment itself.
 */
export async function readIndex(
  path: string,
  name: SegmentName,
  table: StreamTable,
): Promise<Segment | undefined> {
  const bytes = await readWhole(indexPath(path)).catch(() => undefined);
  if (bytes === undefined || bytes.length < CHECKSUM) return undefined;
  const body = bytes.subarray(CHECKSUM);
  if (bytes.toString('latin1', 0, CHECKSUM) !== `${checksum(body)}\n`) return undefined;
  const newline = body.indexOf('\n');
  const header = JSON.parse(body.toString('utf8', 0, newline)) as IndexHeader;
  if (!(await isAsWritten(path, name, header))) return undefined;
  const entries = body.subarray(newline + 1);
  if (entries.length % ENTRY_BYTES !== 0) return undefined;
  const segment = new Segment(name, path, header.after);
  segment.bytes = header.bytes;
  segment.frames = header.frames;
  segment.ended = true;
  for (const [space, seq] of header.lastSeqs) segment.lastSeqs.set(space, seq);
  if (header.lastSeq > 0) segment.lastSeqs.set(EVERY_SPACE, header.lastSeq);
  for (const [seq, offset] of header.marks) segment.marks.push({ seq, offset });
  table.mergeEncoded(entries);
  return segment;
}

/** Whether a completed segment still starts with its first frame and ends with its mark. */
async function isAsWritten(path: string, name: SegmentName, header: IndexHeader): Promise<boolean> {
  const place = { segment: name.number, after: header.after };
  const firsts = [
    encodeSegmentHeader({ ...place, format: JOURNAL_FORMAT, durability: 'power' }),
    encodeSegmentHeader({ ...place, format: JOURNAL_FORMAT, durability: 'process' }),
    encodeSegmentHeader({ ...place, format: OLDER_FORMAT, durability: 'power' }),
  ];
  const end = encodeFrame('mark', header.frames - 1, END);
  const file = await openToRead(path);
  try {
    if (file.size !== header.bytes) return false;
    const found = await readBytes(file, 0, Math.max(...firsts.map(({ length }) => length)));
    const last = await readBytes(file, header.bytes - end.length, end.length);
    return firsts.some((first) => found.subarray(0, first.length).equals(first)) && last.equals(end);
  } finally {
    await file.close();
  }
}

const CHECKSUM = 9;

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
