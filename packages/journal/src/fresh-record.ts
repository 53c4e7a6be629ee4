import { type HashText } from '@proffer/core';
import { canonicalJson } from '@proffer/core/json';
import {
  RECORD_SCHEMA,
  type RecordContent,
  recordText,
  type SealedRecord,
  type StreamHead,
} from '@proffer/core/records';
import type { StoredRecord } from './stored-record.js';

/**
 * A record sealed by this process: it keeps its text, so that forwarding it needs no serialisation. A
 * class, since only a private field stays out of copies, comparisons and JSON.
 */
class FreshRecord implements StoredRecord {
  readonly type: string;
  readonly time: number;
  readonly principal: string;
  readonly envelope: RecordContent['envelope'];
  declare readonly facts?: NonNullable<RecordContent['facts']>;
  readonly schema = RECORD_SCHEMA;
  readonly stream: string;
  readonly version: number;
  readonly prev: string;
  readonly hash: string;
  readonly seq: number;
  readonly #text: string;
  readonly #envelopeEnd: number;

  constructor(content: RecordContent, head: StreamHead, { hash, seq, text, envelopeEnd }: Sealed & Placed) {
    this.type = content.type;
    this.time = content.time;
    this.principal = content.principal;
    this.envelope = content.envelope;
    if (content.facts !== undefined) this.facts = content.facts;
    this.stream = head.stream;
    this.version = head.version + 1;
    this.prev = head.hash;
    this.hash = hash;
    this.seq = seq;
    this.#text = text;
    this.#envelopeEnd = envelopeEnd;
  }

  static envelopeTextOf(record: StoredRecord): string | undefined {
    return #text in record ? record.#text.slice(ENVELOPE_START, record.#envelopeEnd) : undefined;
  }
}

interface Placed {
  readonly seq: number;
}

interface Sealed {
  readonly hash: string;
  /** The hashed text: a flat string by then, while the envelope's own is still a rope. */
  readonly text: string;
  readonly envelopeEnd: number;
}

/** The position of the envelope in a record's text: it is the first field. */
const ENVELOPE_START = '{"envelope":'.length;

/** A record sealed into its stream, without a place in the journal yet. */
export interface SealedAhead {
  /** The hashed text. */
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
  const envelope = canonicalJson(content.envelope);
  const text = recordText(content, from, envelope);
  const hash = hashText(text);
  const envelopeEnd = ENVELOPE_START + envelope.length;
  return {
    text,
    hash,
    envelopeEnd,
    head: { stream: from.stream, version: from.version + 1, hash },
    at: (seq) => new FreshRecord(content, from, { hash, seq, text, envelopeEnd }),
  };
}

/** Seals a record at the end of a stream; also returns the hashed text. */
export function sealFresh(
  content: RecordContent,
  { head, seq, hash }: { readonly head: StreamHead; readonly seq: number; readonly hash: HashText },
): { readonly record: StoredRecord; readonly text: string } {
  const sealed = sealAhead(content, head, hash);
  return { record: sealed.at(seq), text: sealed.text };
}

/** A record that was read with its text, which it keeps like one sealed here. */
export function readFresh(
  record: SealedRecord,
  read: { readonly hash: string; readonly seq: number; readonly text: string; readonly envelopeEnd: number },
): StoredRecord {
  const { stream, version, prev } = record;
  return new FreshRecord(record, { stream, version: version - 1, hash: prev }, read);
}

/** The canonical JSON of a record's envelope, if cached: for recently appended records. */
export function envelopeTextOf(record: StoredRecord): string | undefined {
  return FreshRecord.envelopeTextOf(record);
}
