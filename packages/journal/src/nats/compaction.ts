import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type CompactOptions, type CompactReport, EVERY_SPACE } from '../journal.js';
import { createAuthentic } from './authenticity/authentic-message.js';
import type { Authenticity } from './authenticity/index.js';
import { type MessageHead, markHeaders } from './messages/message.js';
import type { Subjects } from './messages/subjects.js';
import { lastOfEach } from './read/last-of-each.js';
import { lastMessage, writeBatch } from './write/batch.js';

/** The inputs of a compaction. */
interface Compactable {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  readonly authenticity: Authenticity;
  /** Rejects when no answer can arrive any more. */
  readonly broken: () => Promise<never>;
  /** Whether to stop early: the journal is being closed. */
  readonly isStopping: () => boolean;
}

const ANSWER = 5_000;

/**
 * Removes finished streams. A mark at the end of a stream says up to which version it is removed; a stream that has
 * grown in the meantime gets no mark. Purging what is before the mark only frees space, and is left to the next
 * compaction if this one does not get to it. Several gateways may compact at once.
 */
export async function compactStream(
  journal: Compactable,
  { before, keep }: CompactOptions,
): Promise<CompactReport> {
  const { connection, client, manager, stream, subjects, authenticity, isStopping } = journal;
  // Nothing is removed on the word of somebody else; readers report it.
  const authentic = createAuthentic(authenticity, () => {});
  const upTo = (await lastMessage(manager, stream, subjects.below(EVERY_SPACE)))?.seq ?? 0;
  let streams = 0;
  let records = 0;
  for await (const message of lastOfEach(client, stream, { headersOnly: false, upTo })) {
    if (isStopping()) break;
    const entry = authentic.entry(message);
    if (entry === undefined) continue;
    const { subject, head } = entry;
    if (head.isMark) {
      await purgeBefore(journal, subject, head);
      continue;
    }
    const record = authentic.record(entry);
    if (record === undefined || record.time >= before || keep(record)) continue;
    const data = JSON.stringify({ removed: record.stream, version: head.version });
    const marked = await writeBatch(
      connection,
      [{ subject, data, headers: markHeaders(head, { subject, authenticity }) }],
      {
        timeout: ANSWER,
        broken: journal.broken(),
      },
    );
    if (marked.status === 'unexpected') continue;
    if (marked.status !== 'written') throw marked.error;
    await purgeBefore(journal, subject, { ...head, seq: marked.firstSeq });
    streams++;
    records += head.version - head.removed;
  }
  return { streams, records };
}

async function purgeBefore(
  { manager, stream }: Compactable,
  subject: string,
  { seq }: Pick<MessageHead, 'seq'>,
): Promise<void> {
  await manager.streams.purge(stream, { filter: subject, seq });
}
