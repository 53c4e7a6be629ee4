import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { isJsonObject, type JsonValue } from '@proffer/core/json';
import { expectedHash, parseRecord, SALTED_SCHEMA } from '@proffer/core/records';
import { JournalError } from '../../journal-error.js';
import { nativeSha256 } from '../../native-hash.js';
import { type SealedAhead, type StoredRecord, storedRecord } from '../../stored-record.js';
import type { StreamEntry } from '../../streams/stream-table.js';
import { altered, notOurs } from '../authenticity/foreign-messages.js';
import type { Authenticity, FoundHead } from '../authenticity/index.js';

const FIRST_LINE = 'NATS/1.0\r\n';

/**
 * The headers of an outgoing message, as wire text. The client's own headers are a map that checks
 * every name and value: for a record that is a tenth of an append's cost here, and all of ours are
 * names, numbers and digests.
 */
export class HeaderText {
  #lines = '';

  /** @param value - without line breaks */
  append(name: string, value: string | number): void {
    this.#lines += `${name}: ${value}\r\n`;
  }

  /** One header per line. */
  toString(): string {
    return this.#lines;
  }

  /** The type the client expects. It uses nothing of it but the bytes. */
  forClient(): MsgHdrs {
    bytes = Buffer.from(`${FIRST_LINE}${this.#lines}\r\n`, 'latin1');
    return FOR_CLIENT;
  }
}

let bytes: Uint8Array = new Uint8Array();

/** Shared by all messages: the client's own headers would cost a map for each one. */
const FOR_CLIENT: MsgHdrs = Object.assign(headers(), { encode: () => bytes });

/**
 * How a record is stored in a message. The data is the text of the record, which is hashed unless values have salts; what it does not
 * contain, and what is needed without reading the data, is in headers. Any change here also changes
 * {@link NATS_FORMAT}.
 */
const HASH = 'Proffer-Hash';
const VERSION = 'Proffer-Version';
/** The length of the text up to the end of the envelope, in characters. */
const ENVELOPE_END = 'Proffer-Envelope-End';
/** Up to which version the stream is removed; absent if nothing is. */
const REMOVED = 'Proffer-Removed';
/**
 * Which attempt of which gateway wrote it. Two gateways may write the same record, and only one of
 * them succeeds.
 */
const WRITTEN_BY = 'Proffer-Written-By';
/** For a mark in place of removed records: the `seq` of the last one. */
const LAST_SEQ = 'Proffer-Last-Seq';

/** Shows that a gateway wrote the message, for this subject: the id of a key, and a code over the headers above. */
const MAC = 'Proffer-Mac';

/** Where a message must go in its stream: after the message with this sequence, 0 for none. */
const EXPECTED = 'Nats-Expected-Last-Subject-Sequence';

/** The part of a message needed here; all clients' messages have it. */
export interface ReadMessage {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
  readonly headers: MsgHdrs | undefined;
}

/** What a message says about its stream. */
export interface MessageHead extends StreamEntry {
  /** The `seq` of the last record: that of the message itself, except for a mark. */
  readonly recordSeq: number;
  /** Whether it is a mark for removed records. */
  readonly isMark: boolean;
}

export interface RecordHeadersOptions {
  /** The subject it is for. */
  readonly subject: string;
  readonly removed: number;
  /** Identifies the attempt that writes it. Default: none. */
  readonly writtenBy?: string;
  readonly authenticity: Authenticity;
}

/** The headers of a record. */
export function recordHeaders(sealed: SealedAhead, options: RecordHeadersOptions): HeaderText {
  const { subject, removed, writtenBy = '', authenticity } = options;
  const { hash, envelopeEnd } = sealed;
  const { version } = sealed.head;
  const written = new HeaderText();
  written.append(HASH, hash);
  written.append(VERSION, version);
  written.append(ENVELOPE_END, envelopeEnd);
  if (removed > 0) written.append(REMOVED, removed);
  if (writtenBy !== '') written.append(WRITTEN_BY, writtenBy);
  written.append(MAC, authenticity.sign(subject, { version, hash, envelopeEnd, removed, writtenBy }));
  return written;
}

/** The headers of the mark for a stream removed up to its last record. */
export function markHeaders(
  { version, hash, recordSeq, seq }: MessageHead,
  { subject, authenticity }: Pick<RecordHeadersOptions, 'subject' | 'authenticity'>,
): HeaderText {
  const written = new HeaderText();
  written.append(HASH, hash);
  written.append(VERSION, version);
  written.append(REMOVED, version);
  written.append(LAST_SEQ, recordSeq);
  const head = { version, hash, envelopeEnd: 0, removed: version, lastSeq: recordSeq, writtenBy: '' };
  written.append(MAC, authenticity.sign(subject, head));
  expectSequence(written, seq);
  return written;
}

/** Makes the server refuse a message unless its subject's last one has this sequence. */
export function expectSequence(written: HeaderText, seq: number): void {
  written.append(EXPECTED, seq);
}

/** What the headers of a message say about its stream and its data. */
export interface ReadHead extends MessageHead, FoundHead {
  /** The length of the envelope at the start of the text, in characters; 0 if unknown. */
  readonly envelopeEnd: number;
  /** Identifies the attempt that wrote it; empty if unknown. */
  readonly writtenBy: string;
}

/** Parses what a message says about its stream; `undefined` if it belongs to none, such as one that only uses up a `seq`. */
export function headOfMessage({ headers: found, seq }: ReadMessage): ReadHead | undefined {
  if (found === undefined) return undefined;
  let version = 0;
  let hash = '';
  let removed = 0;
  let lastSeq: number | undefined;
  let envelopeEnd = 0;
  let writtenBy = '';
  let mac = '';
  // One pass over all headers: the client would scan them again for each lookup by name.
  for (const [name, values] of found) {
    const value = values[0] ?? '';
    if (name === VERSION) version = Number(value);
    else if (name === HASH) hash = value;
    else if (name === ENVELOPE_END) envelopeEnd = Number(value);
    else if (name === REMOVED) removed = Number(value);
    else if (name === LAST_SEQ && value !== '') lastSeq = Number(value);
    else if (name === WRITTEN_BY) writtenBy = value;
    else if (name === MAC) mac = value;
  }
  if (!Number.isSafeInteger(version) || version < 1) return undefined;
  const isMark = lastSeq !== undefined;
  const recordSeq = lastSeq ?? seq;
  return { version, hash, seq, removed, recordSeq, lastSeq, isMark, envelopeEnd, writtenBy, mac };
}

/** What a record written here says about its stream. */
export function headOfRecord({ version, hash, seq }: StoredRecord): MessageHead {
  return { version, hash, seq, removed: 0, recordSeq: seq, isMark: false };
}

/**
 * Parses the record in a message; `undefined` if it contains none.
 *
 * @param head - what its headers say, if they were read before
 * @throws JournalError for a foreign message, or data that does not match the hash in the headers
 */
export function recordOfMessage(
  message: ReadMessage,
  head: ReadHead | undefined = headOfMessage(message),
): StoredRecord | undefined {
  if (head === undefined || head.isMark) return undefined;
  const text = textOf(message);
  const isHashed = nativeSha256(text) === head.hash;
  if (!isHashed && !text.includes(SALTED)) throw new JournalError(altered(message));
  const record = parse(message, head, text);
  // Of values with salts, other hashes count than those of the text.
  const isWhole = record.salts === undefined ? isHashed : expectedHash(record, nativeSha256) === head.hash;
  if (!isWhole) throw new JournalError(altered(message));
  return record;
}

const SALTED = `"schema":${SALTED_SCHEMA},`;

/**
 * Reads a message without checking the hash.
 *
 * @throws JournalError for a foreign message
 */
export function parsedRecord(message: ReadMessage, head: ReadHead | undefined): StoredRecord | undefined {
  return head === undefined || head.isMark ? undefined : parse(message, head, textOf(message));
}

function parse(message: ReadMessage, head: ReadHead, text: string): StoredRecord {
  let value: JsonValue | { [field: string]: JsonValue };
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    throw new JournalError(notOurs(message));
  }
  const { hash, seq } = head;
  const parsed = parseRecord(isJsonObject(value) ? Object.assign(value, { hash }) : value);
  if (!parsed.ok) throw new JournalError(parsed.refusal);
  const { stream, version, prev } = parsed.value;
  return storedRecord(parsed.value, { stream, version: version - 1, hash: prev }, { hash, seq });
}

function textOf({ data }: ReadMessage): string {
  return Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8');
}

/** Reads a record without an error for foreign messages. */
export function readableRecord(message: ReadMessage, head: ReadHead): StoredRecord | undefined {
  try {
    return parsedRecord(message, head);
  } catch (error) {
    if (error instanceof JournalError) return undefined;
    throw error;
  }
}
