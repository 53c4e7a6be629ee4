import { type HashText } from '@proffer/core';
import { canonicalJson } from '@proffer/core/json';
import { RECORD_START, type RecordContent, recordText, type StreamHead } from '@proffer/core/records';
import { type StoredRecord, storedRecord } from './stored-record.js';

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
  return {
    text,
    hash,
    envelopeEnd: RECORD_START.length + envelope.length,
    head: { stream: from.stream, version: from.version + 1, hash },
    at: (seq) => storedRecord(content, from, { hash, seq }),
  };
}
