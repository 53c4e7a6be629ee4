import type { MsgHdrs } from '@nats-io/transport-node';
import { isJsonObject, type JsonValue } from '@proffer/core/json';
import { parseRecord } from '@proffer/core/records';
import { readFresh, type SealedAhead } from '../fresh-record.js';
import { JournalError } from '../journal-error.js';
import type { StoredRecord } from '../stored-record.js';
import type { StreamEntry } from '../streams/index.js';
import { HeaderText } from './header-text.js';
import { notOurs } from './refusals.js';

/**
 * How a record is stored in a message. The data is exactly the hashed text; what the text does not
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

/** The headers of a record. */
export function recordHeaders(sealed: SealedAhead, removed: number): HeaderText {
  const written = new HeaderText();
  written.append(HASH, sealed.hash);
  written.append(VERSION, sealed.head.version);
  written.append(ENVELOPE_END, sealed.envelopeEnd);
  if (removed > 0) written.append(REMOVED, removed);
  return written;
}

/** Identifies the attempt that writes a message; see {@link isWrittenBy}. */
export function signAttempt(written: HeaderText, attempt: string): void {
  written.append(WRITTEN_BY, attempt);
}

/** Whether this attempt wrote a message in the stream, rather than another gateway that wrote the same. */
export function isWrittenBy({ headers: found }: ReadMessage, attempt: string): boolean {
  return found?.get(WRITTEN_BY) === attempt;
}

/** The headers of the mark for a stream removed up to its last record. */
export function markHeaders({ version, hash, recordSeq, seq }: MessageHead): HeaderText {
  const written = new HeaderText();
  written.append(HASH, hash);
  written.append(VERSION, version);
  written.append(REMOVED, version);
  written.append(LAST_SEQ, recordSeq);
  expectSequence(written, seq);
  return written;
}

/** Makes the server refuse a message unless its subject's last one has this sequence. */
export function expectSequence(written: HeaderText, seq: number): void {
  written.append(EXPECTED, seq);
}

/** What the headers of a message say about its stream and its data. */
interface ReadHead extends MessageHead {
  /** The length of the envelope at the start of the text, in characters; 0 if unknown. */
  readonly envelopeEnd: number;
}

/** Parses what a message says about its stream; `undefined` if it belongs to none, such as one that only uses up a `seq`. */
export function headOfMessage({ headers: found, seq }: ReadMessage): ReadHead | undefined {
  if (found === undefined) return undefined;
  let version = 0;
  let hash = '';
  let removed = 0;
  let lastSeq: number | undefined;
  let envelopeEnd = 0;
  // One pass over all headers: the client would scan them again for each lookup by name.
  for (const [name, values] of found) {
    const value = values[0] ?? '';
    if (name === VERSION) version = Number(value);
    else if (name === HASH) hash = value;
    else if (name === ENVELOPE_END) envelopeEnd = Number(value);
    else if (name === REMOVED) removed = Number(value);
    else if (name === LAST_SEQ && value !== '') lastSeq = Number(value);
  }
  if (!Number.isSafeInteger(version) || version < 1) return undefined;
  const isMark = lastSeq !== undefined;
  return { version, hash, seq, removed, recordSeq: lastSeq ?? seq, isMark, envelopeEnd };
}

/** What a record written here says about its stream. */
export function headOfRecord({ version, hash, seq }: StoredRecord): MessageHead {
  return { version, hash, seq, removed: 0, recordSeq: seq, isMark: false };
}

/**
 * Parses the record in a message; `undefined` if it contains none. Does not check its hash.
 *
 * @param head - what its headers say, if they were read before
 * @throws JournalError for a foreign message
 */
export function recordOfMessage(
  message: ReadMessage,
  head: ReadHead | undefined = headOfMessage(message),
): StoredRecord | undefined {
  if (head === undefined || head.isMark) return undefined;
  const text = Buffer.from(message.data.buffer, message.data.byteOffset, message.data.length).toString(
    'utf8',
  );
  let value: JsonValue | { [field: string]: JsonValue };
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    throw new JournalError(notOurs(message));
  }
  const { hash, seq, envelopeEnd } = head;
  const parsed = parseRecord(isJsonObject(value) ? Object.assign(value, { hash }) : value);
  if (!parsed.ok) throw new JournalError(parsed.refusal);
  return readFresh(parsed.value, { hash, seq, text, envelopeEnd });
}

/** The same without an error for foreign messages: `verify` reports them. */
export function readableRecord(message: ReadMessage, head?: ReadHead): StoredRecord | undefined {
  try {
    return recordOfMessage(message, head);
  } catch (error) {
    if (error instanceof JournalError) return undefined;
    throw error;
  }
}
