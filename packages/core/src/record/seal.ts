import { addEnvelope } from '../envelope/written.js';
import { type HashText, sha256 } from '../hash/sha256.js';
import { canonicalJson } from '../json/canonical.js';
import { defined } from '../json/defined.js';
import type { JsonObject } from '../json/json.js';
import type { JsonBytes } from '../json/json-bytes.js';
import { RECORD_SCHEMA, type RecordContent, SALTED_SCHEMA, type SealedRecord } from './record.js';
import { hashedForm } from './salted.js';

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
    schema: schemaOf(content),
    stream: head.stream,
    version: head.version + 1,
    prev: head.hash,
    hash: content.salts === undefined ? hash(text) : saltedRecordHash(content, head, hash),
  } as const);
}

/** The version of the format in which a record is written. */
export function schemaOf({ salts }: RecordContent): typeof RECORD_SCHEMA | typeof SALTED_SCHEMA {
  return salts === undefined ? RECORD_SCHEMA : SALTED_SCHEMA;
}

/** The hash of a record at the end of a stream whose values have salts. */
export function saltedRecordHash(
  { type, time, principal, envelope, facts, salts = {} }: RecordContent,
  { stream, version, hash: prev }: StreamHead,
  hash: HashText,
): string {
  const sealed = { prev, schema: SALTED_SCHEMA, stream, version: version + 1 };
  const record = { type, time, principal, envelope, ...defined({ facts }), ...sealed, salts };
  return hash(canonicalJson(hashedForm(record, hash)));
}

/**
 * The text of a record at the end of a stream, as it is written, and hashed unless values have salts: the canonical
 * JSON of the record, written field by field because the fields are always the same.
 *
 * @param envelope - the canonical text of the record's envelope
 */
export function recordText(
  content: RecordContent,
  { stream, version, hash }: StreamHead,
  envelope: string,
): string {
  const { type, time, principal, facts, salts } = content;
  const known = facts === undefined ? '' : `,"facts":${canonicalJson(facts)}`;
  const salted = salts === undefined ? '' : `,"salts":${canonicalJson(salts)}`;
  const sealed = `,"prev":"${hash}","principal":${canonicalJson(principal)}${salted},"schema":${schemaOf(content)},"stream":${canonicalJson(stream)}`;
  const what = `,"time":${time},"type":${canonicalJson(type)},"version":${version + 1}}`;
  return `${RECORD_START}${envelope}${known}${sealed}${what}`;
}

/** Adds what {@link recordText} returns, as bytes. */
export function addRecord(
  content: RecordContent,
  { stream, version, hash }: StreamHead,
  to: JsonBytes,
): void {
  const { type, time, principal, facts, envelope, salts } = content;
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
  if (salts !== undefined) {
    to.addAscii(',"salts":');
    to.addJson(salts);
  }
  to.addAscii(salts === undefined ? SCHEMA_AND_STREAM : SALTED_AND_STREAM);
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
const SALTED_AND_STREAM = `,"schema":${SALTED_SCHEMA},"stream":`;

/** The head of the stream after this record. */
export function headAfter(record: SealedRecord): StreamHead {
  return { stream: record.stream, version: record.version, hash: record.hash };
}

/** The hash that a sealed record should have. */
export function expectedHash(record: SealedRecord, hash: HashText = sha256): string {
  // `seq` is the journal's own and not part of the seal.
  const { hash: _hash, seq: _seq, ...sealed } = record as SealedRecord & JsonObject;
  const { salts } = record;
  return hash(canonicalJson(salts === undefined ? sealed : hashedForm({ ...sealed, salts }, hash)));
}
