import type { NatsConnection } from '@nats-io/transport-node';
import { failure, type Result, refuse, success } from '@proffer/core';
import { emptyStream } from '@proffer/core/records';
import type { CopyReport, CopySource } from '../../backend.js';
import { EVERY_SPACE, type Journal } from '../../journal.js';
import { JournalError } from '../../journal-error.js';
import type { RemovedStream } from '../../local/index.js';
import { nativeSha256 } from '../../native-hash.js';
import { type StoredRecord, sealAhead } from '../../stored-record.js';
import { copyTree } from '../../tree-store.js';
import { noAccess } from '../access/no-access.js';
import { ensureStream } from '../access/stream-settings.js';
import type { Authenticity } from '../authenticity/index.js';
import { HeaderText, markHeaders, recordHeaders } from '../messages/message.js';
import { createSubjects, type Subjects } from '../messages/subjects.js';
import { type NatsJournalOptions, openConnection } from '../open-nats-journal.js';
import { createTreeStream } from '../tree-stream.js';
import { type Outgoing, writeBatch } from '../write/batch.js';

/** How many messages are written at once. */
const BATCH = 500;

const ANSWER = 10_000;

/**
 * Copies a journal into a new stream. Each record keeps its `seq`, so clients can resume; unused
 * numbers are skipped. Refuses an existing stream.
 */
export async function copyToNats(
  { journal, removed }: CopySource,
  options: NatsJournalOptions,
): Promise<Result<CopyReport>> {
  const { stream = 'proffer', replicas = 3 } = options;
  const opened = await openConnection(options);
  if (!opened.ok) return opened;
  const { connection, manager, authenticityOf } = opened.value;
  try {
    const subjects = createSubjects(stream);
    const marks = [...removed].sort((left, right) => left.seq - right.seq);
    const [first = 1] = await firstSeqs(journal, marks);
    const wishes = { name: stream, prefix: stream, replicas, firstSeq: first };
    const ensured = await ensureStream(manager, wishes, { create: true });
    if (!ensured.ok) return ensured;
    const { state } = await manager.streams.info(stream);
    if (state.last_seq >= first) {
      const message = `Stream ${stream} already exists and has messages. Copy into a new stream.`;
      // Without the usual advice: the stream is fine, just not as a target.
      return failure({ code: 'unsafe_stream', message, details: { stream } });
    }
    const authenticity = authenticityOf(ensured.value.journal);
    const writing = new AlignedWriter({ connection, subjects, authenticity, firstSeq: first });
    const isRemoved = new Map(removed.map((one) => [one.stream, one.version]));
    let records = 0;
    let next = 0;
    const marksUpTo = async (seq: number): Promise<void> => {
      for (let mark = marks[next]; mark !== undefined && mark.seq < seq; mark = marks[++next])
        await writing.mark(mark);
    };
    for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
      await marksUpTo(record.seq);
      await writing.record(record, isRemoved.get(record.stream) ?? 0);
      records++;
    }
    await marksUpTo(Number.POSITIVE_INFINITY);
    await writing.flush();
    await manager.streams.purge(stream, { filter: subjects.gap });
    const tree = createTreeStream({ client: manager.jetstream(), manager, stream });
    if (journal.tree !== undefined) await copyTree(journal.tree, tree, writing.seq);
    return success({ records, removed: removed.length, seq: writing.seq });
  } catch (error) {
    return failure(error instanceof JournalError ? error.refusal : await noAccess(options, error));
  } finally {
    await connection.close();
  }
}

async function firstSeqs(journal: Journal, marks: readonly RemovedStream[]): Promise<readonly number[]> {
  const seqs = marks.slice(0, 1).map(({ seq }) => seq);
  for await (const { seq } of journal.feed(EVERY_SPACE, 0, { follow: false })) {
    seqs.push(seq);
    break;
  }
  return seqs.sort((left, right) => left - right);
}

interface AlignedWriterOptions {
  readonly connection: NatsConnection;
  readonly subjects: Subjects;
  readonly authenticity: Authenticity;
  readonly firstSeq: number;
}

/** Writes messages so that each gets its required sequence. */
class AlignedWriter {
  readonly #options: AlignedWriterOptions;
  #waiting: Outgoing[] = [];
  #written: number;

  constructor(options: AlignedWriterOptions) {
    this.#options = options;
    this.#written = options.firstSeq - 1;
  }

  /** The sequence of the last message. */
  get seq(): number {
    return this.#written + this.#waiting.length;
  }

  async record(record: StoredRecord, removed: number): Promise<void> {
    const { stream, version, prev, hash, seq, ...content } = record;
    const from = version === 1 ? emptyStream(stream) : { stream, version: version - 1, hash: prev };
    const sealed = sealAhead(content, from, nativeSha256);
    if (sealed.hash !== hash) {
      const what = `Record ${version} of ${stream} does not match its hash.`;
      throw new JournalError(refuse('wrong_hash', what, { stream, version, seq }));
    }
    const { subjects, authenticity } = this.#options;
    const subject = subjects.of(stream);
    const headers = recordHeaders(sealed, { subject, removed, authenticity });
    await this.#put(seq, { subject, data: sealed.text, headers });
  }

  async mark({ stream, version, hash, seq }: RemovedStream): Promise<void> {
    const data = JSON.stringify({ removed: stream, version });
    const head = { version, hash, seq: 0, recordSeq: seq, removed: version, isMark: true };
    const { subjects, authenticity } = this.#options;
    const subject = subjects.of(stream);
    await this.#put(seq, { subject, data, headers: markHeaders(head, { subject, authenticity }) });
  }

  async #put(seq: number, message: Outgoing): Promise<void> {
    while (this.seq < seq - 1)
      await this.#push({ subject: this.#options.subjects.gap, data: '', headers: new HeaderText() });
    await this.#push(message);
  }

  async #push(message: Outgoing): Promise<void> {
    this.#waiting.push(message);
    if (this.#waiting.length === BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const [first] = this.#waiting;
    if (first === undefined) return;
    expectLast(first.headers, this.#written);
    const outcome = await writeBatch(this.#options.connection, this.#waiting, {
      timeout: ANSWER,
      broken: never,
    });
    if (outcome.status === 'unexpected')
      throw new JournalError({
        code: 'unsafe_stream',
        message: 'Another process is writing to the stream. Stop it, or copy into a new stream.',
        details: {},
      });
    if (outcome.status !== 'written') throw outcome.error;
    this.#written += this.#waiting.length;
    this.#waiting = [];
  }
}

/** Makes the server refuse a batch that would start at the wrong sequence. */
function expectLast(written: HeaderText, seq: number): void {
  written.append('Nats-Expected-Last-Sequence', seq);
}

const never = new Promise<never>(() => {});
