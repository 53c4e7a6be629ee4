import { addEnvelope, type HashText } from '@proffer/core';
import { defined, JsonBytes } from '@proffer/core/json';
import {
  RECORD_SCHEMA,
  RECORD_START,
  type RecordContent,
  recordText,
  SALTED_SCHEMA,
  type SealedRecord,
  type StreamHead,
  saltedRecordHash,
} from '@proffer/core/records';

/**
 * A record as a journal returns it: sealed into its stream, with its position in the whole journal.
 * `seq` is not covered by the hash (see `Seal` in core).
 */
export type StoredRecord<Content extends RecordContent = RecordContent> = SealedRecord<Content> & {
  /** Increases over the whole journal, across restarts and failed writes. Gaps mean nothing. */
  readonly seq: number;
};

/** A record with its seal. Field by field: engines are slow to add to a copy. */
export function storedRecord(
  { type, time, principal, envelope, facts, salts }: RecordContent,
  { stream, version: before, hash: prev }: StreamHead,
  { hash, seq }: { readonly hash: string; readonly seq: number },
): StoredRecord {
  const version = before + 1;
  if (salts !== undefined) {
    const sealed = { schema: SALTED_SCHEMA, stream, version, prev, hash, seq, salts } as const;
    return { type, time, principal, envelope, ...defined({ facts }), ...sealed };
  }
  const schema = RECORD_SCHEMA;
  return facts === undefined
    ? { type, time, principal, envelope, schema, stream, version, prev, hash, seq }
    : { type, time, principal, envelope, facts, schema, stream, version, prev, hash, seq };
}

/** The space that a stream belongs to: the text before the first slash, or all of it. */
export function spaceOf(stream: string): string {
  const slash = stream.indexOf('/');
  return slash === -1 ? stream : stream.slice(0, slash);
}

/** Whether a stream certainly belongs to a space: faster than {@link spaceOf} if it usually does. */
export function isOfSpace(stream: string, space: string): boolean {
  return stream.charCodeAt(space.length) === SLASH && stream.startsWith(space);
}

const SLASH = 0x2f;

/** A record sealed into its stream, without a place in the journal yet. */
export interface SealedAhead {
  /** What is written. */
  readonly text: string;
  readonly hash: string;
  /** Where the envelope ends in the text. */
  readonly envelopeEnd: number;
  /** The stream's head after it. */
  readonly head: StreamHead;
  /** The record with its place. */
  at(seq: number): StoredRecord;
}

/** Seals a record at the end of a stream, before its `seq` is known. */
export function sealAhead(content: RecordContent, from: StreamHead, hashText: HashText): SealedAhead {
  const envelope = envelopeText(content.envelope);
  const text = recordText(content, from, envelope);
  const hash = content.salts === undefined ? hashText(text) : saltedRecordHash(content, from, hashText);
  return {
    text,
    hash,
    envelopeEnd: RECORD_START.length + envelope.length,
    head: { stream: from.stream, version: from.version + 1, hash },
    at: (seq) => storedRecord(content, from, { hash, seq }),
  };
}

/** The canonical text of an envelope. */
function envelopeText(envelope: RecordContent['envelope']): string {
  const text = new JsonBytes(1_024);
  addEnvelope(envelope, text);
  return Buffer.from(text.bytes.buffer, 0, text.end).toString();
}
