import type { HashText } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { emptyStream, verifyStream } from '@proffer/core/records';
import { EVERY_SPACE, type JournalFault, type VerifyReport } from '../../journal.js';
import { JournalError } from '../../journal-error.js';
import type { StoredRecord } from '../../stored-record.js';
import { headOf, StreamTable } from '../../streams/stream-table.js';
import { notOurs } from '../authenticity/foreign-messages.js';
import type { Authenticity } from '../authenticity/index.js';
import {
  headOfMessage,
  parsedRecord,
  type ReadHead,
  type ReadMessage,
  readableRecord,
} from '../messages/message.js';
import type { Subjects } from '../messages/subjects.js';
import type { Past } from '../read/history.js';

export interface Verifiable {
  /** Everything, whoever wrote it. */
  readonly past: Past<ReadMessage>;
  readonly authenticity: Authenticity;
  readonly subjects: Subjects;
  readonly hash: HashText;
}

/**
 * Reads every message and checks every MAC and every chain, from the first record or from the mark of the removed
 * ones.
 */
export async function verifyMessages(journal: Verifiable): Promise<VerifyReport> {
  const { past, subjects, hash, authenticity } = journal;
  const all = subjects.below(EVERY_SPACE);
  const heads = new StreamTable();
  const faulty = new Set<string>();
  const faults: JournalFault[] = [];
  let records = 0;
  let unsigned = 0;
  let lastUnsigned = 0;
  let isAccepted = true;

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
      const head = headOfMessage(message);
      const foreign = authenticity.check(message, head);
      if (head?.mac === '') {
        unsigned++;
        lastUnsigned = message.seq;
        isAccepted &&= foreign === undefined;
      }
      if (foreign !== undefined) {
        // Records of an older release may be very many; they are counted.
        if (head?.mac !== '' || unsigned <= MAX_NAMED)
          faults.push({ ...placeIn(message, head), refusal: foreign });
        if (head !== undefined) faulty.add(message.subject);
        return;
      }
      const record = parsedRecord(message, head);
      if (record !== undefined && subjects.of(record.stream) === message.subject)
        return check(record, message.subject);
      if (record !== undefined) return void faults.push({ refusal: notOurs(message) });
      if (head !== undefined) heads.merge(message.subject, head);
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
  return {
    records,
    streams: heads.size,
    faults,
    ...defined({ removed: heads.removed || undefined }),
    ...(unsigned === 0 ? {} : { unsigned: { count: unsigned, lastSeq: lastUnsigned, isAccepted } }),
  };
}

/** How many messages without a MAC are named. */
const MAX_NAMED = 20;

/** The place that a foreign message claims, if it claims one. */
function placeIn(message: ReadMessage, head: ReadHead | undefined): Pick<JournalFault, 'stream' | 'version'> {
  const record = head && readableRecord(message, head);
  return record === undefined ? {} : { stream: record.stream, version: record.version };
}
