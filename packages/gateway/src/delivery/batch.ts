import { type DialectName, deliveredEnvelope, encodeEnvelope, type OperationRecord } from '@proffer/core';
import { envelopeTextOf, type StoredRecord } from '@proffer/journal';
import { type Framing, frameText } from './frame.js';

/** How a subscriber reads: its dialect and its framing. */
export interface Reading {
  readonly dialect: DialectName;
  readonly framing: Framing;
}

/** A record of the operations plane, as stored. */
export type StoredOperation = StoredRecord<OperationRecord>;

/**
 * Records that became durable together. Each is serialised once per dialect and framed once per
 * framing, when the first subscriber needs it, and all of them are joined into one buffer for those
 * who get everything.
 */
export interface Batch {
  readonly records: readonly StoredOperation[];
  frame(reading: Reading, index: number): Buffer;
  joined(reading: Reading): Buffer;
}

export function createBatch(records: readonly StoredOperation[]): Batch {
  const texts = new Map<DialectName, string[]>();
  const frames = new Map<string, Buffer[]>();
  const joined = new Map<string, Buffer>();

  function textsIn(dialect: DialectName): string[] {
    const known = texts.get(dialect);
    if (known !== undefined) return known;
    const made = records.map((record) => textIn(dialect, record));
    texts.set(dialect, made);
    return made;
  }

  function framesFor({ dialect, framing }: Reading): Buffer[] {
    const key = `${framing} ${dialect}`;
    const known = frames.get(key);
    if (known !== undefined) return known;
    const made = textsIn(dialect).map((text, index) =>
      frameText(framing, text, records[index]?.seq, records[index]?.time),
    );
    frames.set(key, made);
    return made;
  }

  return {
    records,
    frame: (reading, index) => framesFor(reading)[index] ?? Buffer.alloc(0),
    joined(reading) {
      const key = `${reading.framing} ${reading.dialect}`;
      const known = joined.get(key);
      if (known !== undefined) return known;
      const made = framesFor(reading);
      const whole = made.length === 1 && made[0] !== undefined ? made[0] : Buffer.concat(made);
      joined.set(key, whole);
      return whole;
    },
  };
}

/** The message of a record as text: in the canonical dialect mostly the very text that was stored. */
function textIn(dialect: DialectName, record: StoredOperation): string {
  const envelope = deliveredEnvelope(record);
  const stored = dialect === 'mcpx' && envelope === record.envelope ? envelopeTextOf(record) : undefined;
  return stored === undefined
    ? JSON.stringify(encodeEnvelope(envelope, dialect, { seq: record.seq }))
    : `${stored.slice(0, -1)},"seq":${record.seq}}`;
}
