import type { HashText } from '@proffer/core';
import { emptyStream, verifyStream } from '@proffer/core/records';
import { EVERY_SPACE, type JournalFault, type VerifyReport } from '../journal.js';
import { JournalError } from '../journal-error.js';
import type { StoredRecord } from '../stored-record.js';
import { headOf, StreamTable } from '../streams/index.js';
import type { Past } from './history.js';
import { headOfMessage, type ReadMessage, recordOfMessage } from './message.js';
import { notOurs } from './refusals.js';
import type { Subjects } from './subjects.js';

export interface Verifiable {
  readonly past: Past;
  readonly subjects: Subjects;
  readonly hash: HashText;
}

/**
 * Reads every message and checks every chain, from the first record or from the mark of the removed
 * ones.
 */
export async function verifyMessages({ past, subjects, hash }: Verifiable): Promise<VerifyReport> {
  const { gap } = subjects;
  const all = subjects.below(EVERY_SPACE);
  const heads = new StreamTable();
  const faulty = new Set<string>();
  const faults: JournalFault[] = [];
  let records = 0;

  function check(record: StoredRecord, at: string): void {
    const { stream, version } = record;
    records++;
    const known = heads.get(at);
    if (version <= (known?.removed ?? 0) || faulty.has(at)) return;
    const from = known === undefined ? emptyStream(stream) : { stream, ...known };
    const verified = verifyStream([record], { from, hash });
    if (!verified.ok) {
      faulty.add(at);
      faults.push({ stream, version, refusal: verified.refusal });
    }
    heads.merge(at, headOf(record));
  }

  function take(message: ReadMessage): void {
    try {
      const record = recordOfMessage(message);
      if (record !== undefined && subjects.of(record.stream) === message.subject)
        return check(record, message.subject);
      if (record !== undefined) return void faults.push({ refusal: notOurs(message) });
      const head = headOfMessage(message);
      if (head !== undefined) heads.merge(message.subject, head);
      else if (message.subject !== gap) faults.push({ refusal: notOurs(message) });
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      faults.push({ refusal: error.refusal });
    }
  }

  for (let seq = 0; seq !== Number.POSITIVE_INFINITY; ) {
    const { messages, upTo } = await past.after(all, seq);
    for (const message of messages) take(message);
    seq = upTo;
  }
  return { records, streams: heads.size, faults };
}
