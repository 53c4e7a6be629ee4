import { addEnvelope } from '../envelope/written.js';
import { type HashText, sha256 } from '../hash/sha256.js';
import { canonicalJson } from '../json/canonical.js';
import type { JsonObject } from '../json/json.js';
import type { JsonBytes } from '../json/json-bytes.js';
import { RECORD_SCHEMA, type RecordContent, type SealedRecord } from './record.js';

/** The end of a stream: where the next record goes. */
export interface StreamHead {
  readonly stream: string;
  /** The version of the last record; 0 for a stream without records. */
  readonly version: number;
  /** The hash of the last record; empty for a stream without records. */
  readonly hash: string;
}

/** The head of a stream that has no records yet. */
export function emptyStream(stream: string): StreamHead {
  return { stream, version: 0, hash: '' };
}

/**
 * Puts a record at the end of its stream and chains it to the one before.
 *
 * @param hash - a faster SHA-256 if the host has one; it must give the same results
 */
export function sealRecord<Content extends RecordContent>(
  content: Content,
  head: StreamHead,
  hash: HashText = sha256,
): SealedRecord<Content> {
  const text = recordText(content, head, canonicalJson(content.envelope));
  // Assigned, not spread: engines copy an object this way many times as fast.
  return Object.assign({}, content, {
    schema: RECORD_SCHEMA,
    stream: head.stream,
    version: head.version + 1,
    prev: head.hash,
    hash: hash(text),
  } as const);
}

/**
 * The text that is hashed when a record is sealed at the end of a stream: the canonical JSON of the
 * record, written field by field because the fields are always the same.
 *
 * @param envelope - the canonical text of the record's envelope
 */
export function recordText(
  { type, time, principal, facts }: RecordContent,
  { stream, version, hash }: StreamHead,
  envelope: string,
): string {
  const known = facts === undefined ? '' : `,"facts":${canonicalJson(facts)}`;
  const sealed = `,"prev":"${hash}","principal":${canonicalJson(principal)}${SCHEMA_AND_STREAM}${canonicalJson(stream)}`;
  const what = `,"time":${time},"type":${canonicalJson(type)},"version":${version + 1}}`;
  return `${RECORD_START}${envelope}${known}${sealed}${what}`;
}

/** Adds what {@link recordText} returns, as bytes. */
export function addRecord(
  { type, time, principal, facts, envelope }: RecordContent,
  { stream, version, hash }: StreamHead,
  to: JsonBytes,
): void {
  to.addAscii(RECORD_START);
  addEnvelope(envelope, to);
  if (facts !== undefined) {
    to.addAscii(',"facts":');
    to.addJson(facts);
  }
  to.addAscii(',"prev":"');
  to.addAscii(hash);
  to.addAscii('","principal":');
  to.addQuoted(principal);
  to.addAscii(SCHEMA_AND_STREAM);
  to.addQuoted(stream);
  to.addAscii(',"time":');
  to.addNumber(time);
  to.addAscii(',"type":');
  to.addQuoted(type);
  to.addAscii(',"version":');
  to.addNumber(version + 1);
  to.addAscii('}');
}

/** What is in front of the envelope in the text of a record. */
export const RECORD_START = '{"envelope":';

const SCHEMA_AND_STREAM = `,"schema":${RECORD_SCHEMA},"stream":`;

/** The head of the stream after this record. */
export function headAfter(record: SealedRecord): StreamHead {
  return { stream: record.stream, version: record.version, hash: record.hash };
}

/** The hash that a sealed record should have. */
export function expectedHash(record: SealedRecord, hash: HashText = sha256): string {
  // `seq` is the journal's own and not part of the seal.
  const { hash: _hash, seq: _seq, ...sealed } = record as SealedRecord & JsonObject;
  return hash(canonicalJson(sealed));
}
