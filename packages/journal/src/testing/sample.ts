import { textOf } from '@proffer/core/json';
import type { RecordContent } from '@proffer/core/records';
import type { AppendOutcome } from '../outcome.js';
import type { StoredRecord } from '../stored-record.js';

/** A small record, identified by its text. */
export function sample(text: string, time = 1_700_000_000_000): RecordContent {
  return { type: 'said', time, principal: 'agent', envelope: { id: text, payload: { text } }, facts: {} };
}

/** The same, and its text can be hidden. */
export function saltedSample(text: string): RecordContent {
  return { ...sample(text), salts: { '/envelope/payload/text': `salt of ${text}` } };
}

/** The records of an append that must have succeeded. */
export function appended(outcome: AppendOutcome): readonly StoredRecord[] {
  if (outcome.status === 'appended') return outcome.records;
  throw new Error(`The append ended with ${JSON.stringify(outcome)}.`);
}

/** All items of an iterable, or the first `most`. */
export async function collect<Item>(
  items: AsyncIterable<Item>,
  most = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const collected: Item[] = [];
  if (most === 0) return collected;
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= most) break;
  }
  return collected;
}

/** The texts that records were made with. */
export function texts(records: readonly StoredRecord[]): readonly string[] {
  return records.map(({ envelope }) => textOf(envelope['id']));
}
