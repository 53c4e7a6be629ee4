import { type DialectName, encodeEnvelope, writtenOf } from '@proffer/core';
import { deliveredEnvelope, type OperationRecord, recordBeside } from '@proffer/core/operations';
import type { StoredRecord } from '@proffer/journal';
import { type FramedMessage, type Frames, type Framing, frameMessages } from './frame.js';

/** How a subscriber reads: its dialect, its framing, and whether each message comes with its record. */
export interface ReaderFormat {
  readonly dialect: DialectName;
  readonly framing: Framing;
  /** Whether to add the sealed record to each message, as the field `record`. Default: false. */
  readonly records?: boolean;
}

/** A record of an operation, as stored. */
export type StoredOperation = StoredRecord<OperationRecord>;

/**
 * Records that became durable together. Each is serialised once per dialect (with and without its record), and all of
 * them are framed once per framing, when the first subscriber needs it, into one shared buffer.
 */
export interface DeliveryBatch {
  readonly records: readonly StoredOperation[];
  all(reading: ReaderFormat): Buffer;
  /** The wanted ones; `undefined` if there are none. */
  some(reading: ReaderFormat, isWanted: (record: StoredOperation) => boolean): Buffer | undefined;
}

export function createBatch(records: readonly StoredOperation[]): DeliveryBatch {
  const messages = new Map<string, readonly FramedMessage[]>();
  const frames = new Map<string, Frames>();

  function messagesIn({ dialect, records: withRecords = false }: ReaderFormat): readonly FramedMessage[] {
    const key = withRecords ? `${dialect} records` : dialect;
    const known = messages.get(key);
    if (known !== undefined) return known;
    const made = records.map((record) => {
      const message = messageIn(dialect, record);
      return withRecords ? messageWithRecord(message, record) : message;
    });
    messages.set(key, made);
    return made;
  }

  function framesFor(reading: ReaderFormat): Frames {
    const { dialect, framing, records: withRecords = false } = reading;
    const form = withRecords ? `${dialect} records` : dialect;
    const key = framing === 'websocket' ? form : `${framing} ${form}`;
    const known = frames.get(key);
    if (known !== undefined) return known;
    const made = frameMessages(framing, messagesIn(reading));
    frames.set(key, made);
    return made;
  }

  return {
    records,
    all: (reading) => framesFor(reading).bytes,
    some(reading, isWanted) {
      const runs: Buffer[] = [];
      for (let index = 0; index < records.length; index++) {
        if (!isWanted(records[index] as StoredOperation)) continue;
        const first = index;
        while (index + 1 < records.length && isWanted(records[index + 1] as StoredOperation)) index++;
        const { bytes, offsets } = framesFor(reading);
        runs.push(bytes.subarray(offsets[first], offsets[index + 1]));
      }
      // A copy: what a slow reader leaves unread must not keep the others' messages in memory (I-7).
      return runs.length === 0 ? undefined : Buffer.concat(runs);
    },
  };
}

/** The message of a record in a dialect. What is known as canonical JSON is not written again. */
function messageIn(dialect: DialectName, record: StoredOperation): FramedMessage {
  const { seq, time } = record;
  const envelope = deliveredEnvelope(record);
  const written = writtenOf(envelope);
  if (dialect === 'mcpx' && written !== undefined) {
    // Without its braces.
    const rest = { bytes: written.bytes, start: written.start + 1, end: written.end - 1 };
    return { text: `{"seq":${seq},`, rest, after: '}', seq, time };
  }
  const encoded = encodeEnvelope(envelope, dialect, { seq });
  if (written === undefined || encoded['payload'] !== envelope.payload)
    return { text: JSON.stringify(encoded), seq, time };
  const around = JSON.stringify({ ...encoded, payload: undefined });
  const rest = { bytes: written.bytes, start: written.payloadStart, end: written.payloadEnd };
  return { text: `${around.slice(0, -1)},"payload":`, rest, after: '}', seq, time };
}

/** A message with its sealed record. */
function messageWithRecord(message: FramedMessage, record: StoredOperation): FramedMessage {
  const { text, after } = message;
  if (after === undefined) return { ...message, text: withRecord(text, record) };
  return { ...message, after: withRecord(after, record) };
}

/** The text of a message, or its end, with the sealed record. */
export function withRecord(text: string, record: StoredOperation): string {
  return `${text.slice(0, -1)},"record":${JSON.stringify(recordBeside(record))}}`;
}
