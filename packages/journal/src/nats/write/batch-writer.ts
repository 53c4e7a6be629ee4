import { setTimeout as delay } from 'node:timers/promises';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type AppendOutcome, unavailable } from '../../outcome.js';
import type { StreamEntry } from '../../streams/stream-table.js';
import type { Authenticity } from '../authenticity/index.js';
import type { NatsLink } from '../link/link.js';
import { expectSequence, recordHeaders } from '../messages/message.js';
import type { Subjects } from '../messages/subjects.js';
import type { KnownHeads } from '../read/known-heads.js';
import type { NatsReader } from '../read/reader.js';
import { AppendQueue, type Waiting } from './append-queue.js';
import { MAX_MESSAGES, type Outgoing, type WriteOutcome, writeBatch } from './batch.js';
import { type BatchSearch, createBatchSearch, type Expectations } from './batch-search.js';

export interface BatchWriterOptions {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  readonly heads: KnownHeads;
  readonly link: NatsLink;
  /** A batch takes at most this many bytes of the queue, or one append. */
  readonly batchBytes: number;
  readonly reader: NatsReader;
  readonly authenticity: Authenticity;
  /** The id of this writer, in its messages. */
  readonly writer: string;
}

/** How many batches are in flight at a time. */
const MAX_IN_FLIGHT = 4;

/** After this time without an answer a batch counts as lost, in milliseconds. */
const ANSWER = 4_000;

/**
 * How often a batch is retried whose expectations were refused although each of them is right: the leader has accepted a
 * message of another gateway for one of its streams, and waits for the other servers before anyone can read it.
 */
const MAX_ATTEMPTS = 28;

/** How long to wait for that before another attempt, in milliseconds: in all for longer than an election takes. */
const pauseBefore = (attempt: number): number => Math.min(500, 2 ** attempt);

/**
 * Group commit: everything that waits goes into one atomic batch. If another gateway was first on a
 * stream, only the appends to that stream fail; the others are sent again. If the answer is lost, the
 * batch is sent again until its outcome is certain: each of its streams still ends where expected, or
 * the batch is already there.
 */
export class BatchWriter {
  readonly queue = new AppendQueue();
  readonly #options: BatchWriterOptions;
  readonly #search: BatchSearch;
  #flying = 0;
  #isStarting = false;
  #idle: (() => void)[] = [];
  #attempts = 0;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#search = createBatchSearch(options);
  }

  /** Sends what is queued, with everything appended in the same turn. */
  start(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      while (this.#flying < MAX_IN_FLIGHT && this.#options.link.isUsable) {
        const batch = this.queue.take({ messages: MAX_MESSAGES, bytes: this.#options.batchBytes });
        if (batch.length === 0) break;
        void this.#fly(batch);
      }
    });
  }

  /** Settles when nothing is queued or in flight. */
  async settled(): Promise<void> {
    if (this.queue.isEmpty) return;
    await new Promise<void>((go) => this.#idle.push(go));
  }

  /** Refuses everything that was not sent. */
  refuseUnsent(): void {
    this.#fail(this.queue.takeUnsent());
    this.#tellIfIdle();
  }

  async #fly(batch: readonly Waiting[]): Promise<void> {
    const { heads } = this.#options;
    this.#flying++;
    await this.#land(batch, expectationsOf(batch, heads));
    this.#flying--;
    this.#tellIfIdle();
    this.start();
  }

  /** Sends appends until the outcome of each is certain. */
  async #land(batch: readonly Waiting[], expected: Expectations): Promise<void> {
    const { link, reader } = this.#options;
    let rest = batch;
    const by = `${this.#options.writer}/${this.#attempts++}`;
    for (let attempt = 1; rest.length > 0; ) {
      let outcome = await this.#send(rest, expected, by);
      if (outcome.status === 'written') {
        if (await this.#succeed(rest, outcome.firstSeq)) return;
        outcome = {
          status: 'unknown',
          error: new Error('the records that were acknowledged did not arrive'),
        };
      }
      if (outcome.status === 'unknown') {
        link.lost(outcome.error);
        await link.usable();
      }
      const found = await this.#search.find(rest, expected, by);
      // They were found in a stream of this name; it must still be the right one.
      if (found.writtenAt !== undefined) await this.#search.ask(() => reader.verify());
      // Nobody can be asked any more. They may be written, so they get no answer.
      if (link.isOver) return;
      // Even if the leader refused: it may be the only one that could not store it.
      if (found.writtenAt !== undefined) return void (await this.#succeed(rest, found.writtenAt, 'found'));
      if (outcome.status === 'refused') return await this.#refused(rest, expected, outcome);
      if (outcome.status === 'unexpected' && found.overtaken.size === 0) {
        if (attempt === MAX_ATTEMPTS) return this.#fail(rest);
        await delay(pauseBefore(attempt++));
      }
      for (const stream of found.overtaken)
        this.#conflict(
          rest.filter((one) => one.stream === stream),
          stream,
        );
      rest = rest.filter(({ stream }) => !found.overtaken.has(stream));
    }
  }

  #send(batch: readonly Waiting[], expected: Expectations, by: string): Promise<WriteOutcome> {
    const { connection, subjects, authenticity } = this.#options;
    const seen = new Set<string>();
    const messages: Outgoing[] = [];
    for (const { stream, sealed } of batch) {
      const subject = subjects.of(stream);
      const { seq = 0, removed = 0 } = expected.get(stream) ?? {};
      for (const one of sealed) {
        const headers = recordHeaders(one, { subject, removed, writtenBy: by, authenticity });
        // The server checks each subject once per batch: later messages of the batch follow anyway.
        if (!seen.has(stream)) expectSequence(headers, seq);
        seen.add(stream);
        messages.push({ subject, data: one.text, headers });
      }
    }
    return writeBatch(connection, messages, { timeout: ANSWER, broken: this.#options.link.broken });
  }

  /**
   * The server refused all because of one: each stream is tried separately, so that the others do not
   * suffer.
   */
  async #refused(
    batch: readonly Waiting[],
    expected: Expectations,
    { error }: { readonly error: Error },
  ): Promise<void> {
    const streams = new Set(batch.map(({ stream }) => stream));
    if (streams.size === 1) return this.#fail(batch, error);
    for (const stream of streams)
      await this.#land(
        batch.filter((one) => one.stream === stream),
        expected,
      );
  }

  /**
   * They are written. They count once they have arrived in order and follow the last valid record of
   * their stream: during a leader change a server may accept two that expect the same end. False if they did not
   * arrive, so that it is not known what became of them.
   *
   * @param how - whether the server said so, or they were found in the stream
   */
  async #succeed(
    batch: readonly Waiting[],
    firstSeq: number,
    how: 'acknowledged' | 'found' = 'acknowledged',
  ): Promise<boolean> {
    const { reader, link } = this.#options;
    let seq = firstSeq;
    const written = batch.map((waiting) => ({
      waiting,
      records: waiting.sealed.map((one) => one.at(seq++)),
    }));
    for (const { waiting, records } of written)
      reader.wrote(records.map((record, place) => ({ record, text: waiting.sealed[place]?.text ?? '' })));
    await reader.reached(seq - 1);
    const haveArrived = reader.haveArrived(written.flatMap(({ records }) => records.map((one) => one.seq)));
    if (link.isOver || !(haveArrived || how === 'found')) return false;
    const isVoid = ({ records }: (typeof written)[number]): boolean =>
      records.some((one) => reader.isVoid(one.seq));
    const lost = new Set(written.filter(isVoid).map(({ waiting }) => waiting.stream));
    const won = written.filter(({ waiting }) => !lost.has(waiting.stream));
    this.queue.landed(won.map(({ waiting }) => waiting));
    for (const { waiting, records } of won)
      settleAlone(() => waiting.settle(waiting.answer ?? { status: 'appended', records }));
    for (const stream of lost)
      this.#conflict(
        batch.filter((one) => one.stream === stream),
        stream,
      );
    return true;
  }

  #conflict(batch: readonly Waiting[], stream: string): void {
    const behind = this.queue.takeBehind(stream);
    this.#settle([...batch, ...behind], { status: 'conflict', head: this.#options.heads.head(stream) });
  }

  #fail(batch: readonly Waiting[], error?: Error): void {
    if (batch.length === 0) return;
    const link = this.#options.link;
    const outcome: AppendOutcome =
      error === undefined
        ? { status: 'unavailable', refusal: link.refusal }
        : unavailable(`NATS refused the records: ${error.message}.`, { cause: causeOf(error) });
    link.writeFailed(outcome.refusal);
    const behind = [...new Set(batch.map(({ stream }) => stream))].flatMap((stream) =>
      this.queue.takeBehind(stream),
    );
    this.#settle([...batch, ...behind], outcome);
  }

  #settle(batch: readonly Waiting[], outcome: AppendOutcome): void {
    this.queue.landed(batch);
    for (const { settle } of batch) settleAlone(() => settle(outcome));
  }

  #tellIfIdle(): void {
    if (!this.queue.isEmpty) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const go of idle) go();
  }
}

function expectationsOf(batch: readonly Waiting[], heads: KnownHeads): Expectations {
  const expected = new Map<string, StreamEntry>();
  for (const { stream } of batch) if (!expected.has(stream)) expected.set(stream, heads.of(stream));
  return expected;
}

function causeOf(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'number' ? String(code) : error.name;
}

/** An exception in a callback must not affect those that wait after it: it is thrown separately. */
function settleAlone(settle: () => void): void {
  try {
    settle();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
