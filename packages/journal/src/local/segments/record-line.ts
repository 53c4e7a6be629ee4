import { failure, type Result, refuse, success } from '@proffer/core';
import { isJsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import {
  addRecord,
  parseRecord,
  type RecordContent,
  type StreamHead,
  saltedRecordHash,
} from '@proffer/core/records';
import { nativeSha256 } from '../../native-hash.js';
import { type StoredRecord, storedRecord } from '../../stored-record.js';
import type { Head } from '../streams/index.js';
import type { LineBuffer } from './line-buffer.js';

/** A record, and the position of the record before it in its stream. */
export interface RecordLine {
  readonly record: StoredRecord;
  /** The `seq` of the record before it in its stream; 0 for the first. */
  readonly previousSeq: number;
}

/** Where a record goes: after this one in its stream, at this position in the journal. */
export interface RecordPlace {
  readonly head: StreamHead;
  readonly previousSeq: number;
  readonly seq: number;
}

/** How long a hash is, and what is between it and the record. */
const HASH_LENGTH = 64;
const AFTER_HASH = '","record":';

/** Seals a record and adds its line, which contains the very bytes that were hashed unless values have salts. */
export function sealLine(
  content: RecordContent,
  { head, previousSeq, seq }: RecordPlace,
  lines: LineBuffer,
): StoredRecord {
  const { text } = lines;
  text.addAscii('{"seq":');
  text.addNumber(seq);
  text.addAscii(',"previous":');
  text.addNumber(previousSeq);
  text.addAscii(',"hash":"');
  const hashAt = text.end;
  text.reserve(HASH_LENGTH);
  text.end += HASH_LENGTH;
  text.addAscii(AFTER_HASH);
  const recordAt = text.end;
  addRecord(content, head, text);
  const { end } = text;
  const hash =
    content.salts === undefined
      ? nativeSha256(text.bytes.subarray(recordAt, end))
      : saltedRecordHash(content, head, nativeSha256);
  text.end = hashAt;
  text.addAscii(hash);
  text.end = end;
  text.addAscii('}\n');
  return storedRecord(content, head, { hash, seq });
}

/** Seals records onto the end of a stream in order, starting at a `seq`; also returns the new end. */
export function sealLines(
  contents: readonly RecordContent[],
  from: Head,
  firstSeq: number,
  lines: LineBuffer,
): { readonly records: readonly StoredRecord[]; readonly head: Head } {
  const { stream } = from;
  const before = lines.size;
  let head = from;
  const records: StoredRecord[] = [];
  try {
    for (const content of contents) {
      const place = { head, previousSeq: head.seq, seq: firstSeq + records.length };
      const record = sealLine(content, place, lines);
      records.push(record);
      const { version, hash, seq } = record;
      head = { stream, version, hash, seq };
    }
  } catch (error) {
    // All of them or none.
    lines.cut(before);
    throw error;
  }
  return { records, head };
}

/** The prefix of a record's line. */
export function startOfLine(seq: number): string {
  return `{"seq":${seq},`;
}

/** Parses a line; refuses anything but a record. Does not check its hash. */
export function parseLine(line: string): Result<RecordLine> {
  let value: JsonValue;
  try {
    value = JSON.parse(line) as JsonValue;
  } catch {
    return failure(refuse('invalid_record', 'A line of the journal is not JSON.'));
  }
  const fields = objectOf(value);
  const { seq, previous, hash, record } = fields;
  if (!Number.isSafeInteger(seq) || !Number.isSafeInteger(previous) || !isJsonObject(record)) {
    return failure(refuse('invalid_record', 'A line of the journal is not a record.'));
  }
  const parsed = parseRecord(Object.assign({}, record, { hash, seq }));
  if (!parsed.ok) return parsed;
  return success({ record: parsed.value as StoredRecord, previousSeq: Number(previous) });
}

/** The lines of a frame's body, each with its offset. */
export function* linesOf(body: Buffer): Generator<{ readonly line: string; readonly offset: number }> {
  for (let offset = 0; offset < body.length; ) {
    const newline = body.indexOf(NEWLINE, offset);
    const end = newline === -1 ? body.length : newline;
    yield { line: body.toString('utf8', offset, end), offset };
    offset = end + 1;
  }
}

const NEWLINE = 0x0a;
