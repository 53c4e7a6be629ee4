import { failure, type HashText, type Result, refuse, success } from '@proffer/core';
import { isJsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import { parseRecord, type RecordContent, type StreamHead } from '@proffer/core/records';
import { sealFresh } from '../../fresh-record.js';
import type { StoredRecord } from '../../stored-record.js';
import type { Head } from '../streams/index.js';

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

/**
 * Seals a record and formats it as its line in a segment. The line contains the very text that was
 * hashed, so that it is serialised only once.
 */
export function sealLine(
  content: RecordContent,
  { head, previousSeq, seq }: RecordPlace,
  hash: HashText,
): { readonly record: StoredRecord; readonly line: string } {
  const { record, text } = sealFresh(content, { head, seq, hash });
  const line = `{"seq":${seq},"previous":${previousSeq},"hash":"${record.hash}","record":${text}}\n`;
  return { record, line };
}

/** Seals records onto the end of a stream in order, starting at a `seq`; also returns the new end. */
export function sealLines(
  contents: readonly RecordContent[],
  from: Head,
  { firstSeq, hash: hashText }: { readonly firstSeq: number; readonly hash: HashText },
): { readonly records: readonly StoredRecord[]; readonly lines: string; readonly head: Head } {
  const { stream, key } = from;
  let head = from;
  let lines = '';
  const records: StoredRecord[] = [];
  for (const content of contents) {
    const place = { head, previousSeq: head.seq, seq: firstSeq + records.length };
    const { record, line } = sealLine(content, place, hashText);
    lines += line;
    records.push(record);
    const { version, hash, seq } = record;
    head = { stream, version, hash, seq, key };
  }
  return { records, lines, head };
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
