import { type HashText } from '@proffer/core';
import { canonicalJson } from '@proffer/core/json';
import { RECORD_SCHEMA, type RecordContent, recordText, type StreamHead } from '@proffer/core/records';
import type { StoredRecord } from './stored-record.js';

/**
 * A record that was sealed by this process: it still has its text at hand, so that whoever
 * sends it on need not write it out once more. A class, since only a private field stays out of copies,
 * comparisons and JSON.
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

  constructor(content: RecordContent, head: StreamHead, { hash, seq, text, envelopeEnd }: Sealed) {
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

interface Sealed {
  readonly hash: string;
  readonly seq: number;
  /** The text that was hashed: one piece by then, where the envelope's own is still made of many. */
  readonly text: string;
  readonly envelopeEnd: number;
}

/** Where the envelope stands in the text of a record: it is the first of its fields. */
const ENVELOPE_START = '{"envelope":'.length;

/** Seals a record at the end of a stream; also gives the text that was hashed. */
export function sealFresh(
  content: RecordContent,
  { head, seq, hash }: { readonly head: StreamHead; readonly seq: number; readonly hash: HashText },
): { readonly record: StoredRecord; readonly text: string } {
  const envelope = canonicalJson(content.envelope);
  const text = recordText(content, head, envelope);
  const envelopeEnd = ENVELOPE_START + envelope.length;
  return { record: new FreshRecord(content, head, { hash: hash(text), seq, text, envelopeEnd }), text };
}

/** The canonical JSON of a record's envelope, where it is at hand: of records that were appended a moment ago. */
export function envelopeTextOf(record: StoredRecord): string | undefined {
  return FreshRecord.envelopeTextOf(record);
}
