import { randomUUID } from 'node:crypto';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type AppendOutcome, unavailable } from '../../outcome.js';
import type { StreamEntry } from '../../streams/index.js';
import type { KnownHeads } from '../known-heads.js';
import type { Link } from '../link.js';
import { expectSequence, isWrittenBy, recordHeaders, signAttempt } from '../message.js';
import type { Reader } from '../reader.js';
import type { Subjects } from '../subjects.js';
import { type BatchOutcome, MAX_MESSAGES, nextMessage, type Outgoing, writeBatch } from './batch.js';
import { Lanes, type Waiting } from './lanes.js';

export interface BatchWriterOptions {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  readonly heads: KnownHeads;
  readonly link: Link;
  /** A batch takes at most this many bytes of the queue, or one append. */
  readonly batchBytes: number;
  readonly reader: Reader;
}

/** How many batches are in flight at a time. */
const MAX_IN_FLIGHT = 4;

/** After this time without an answer a batch counts as lost, in milliseconds. */
const ANSWER = 4_000;

/** How often a batch is retried whose expectations were refused although each of them is right. */
const MAX_ATTEMPTS = 3;

/** Where each stream of a batch must end for it to be written, as far as known here. */
type Expectations = ReadonlyMap<string, StreamEntry>;

/**
 * Group commit: everything that waits goes into one atomic batch. If another gateway was first on a
 * stream, only the appends to that stream fail; the others are sent again. If the answer is lost, the
 * batch is sent again until its outcome is certain: each of its streams still ends where expected, or
 * the batch is already there.
 */
export class BatchWriter {
  readonly lanes = new Lanes();
  readonly #options: BatchWriterOptions;
  #flying = 0;
  #isStarting = false;
  #idle: (() => void)[] = [];
  readonly #writer = randomUUID();
  #attempts = 0;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
  }

  /** Sends what is queued, with everything appended in the same turn. */
  start(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      while (this.#flying < MAX_IN_FLIGHT && this.#options.link.isUsable) {
        const batch = this.lanes.take({ messages: MAX_MESSAGES, bytes: this.#options.batchBytes });
        if (batch.length === 0) break;
        void this.#fly(batch);
      }
    });
  }

  /** Settles when nothing is queued or in flight. */
  async settled(): Promise<void> {
    if (this.lanes.isEmpty) return;
    await new Promise<void>((go) => this.#idle.push(go));
  }

  /** Refuses everything that was not sent. */
  refuseUnsent(): void {
    this.#fail(this.lanes.takeUnsent());
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
    const { link } = this.#options;
    let rest = batch;
    const by = `${this.#writer}/${this.#attempts++}`;
    for (let attempt = 1; rest.length > 0; ) {
      const outcome = await this.#send(rest, expected, by);
      if (outcome.status === 'written') return await this.#succeed(rest, outcome.firstSeq);
      if (outcome.status === 'unknown') {
        link.lost(outcome.error);
        await link.usable();
      }
      const found = await this.#compare(rest, expected, by);
      // Nobody can be asked any more. They may be written, so they get no answer.
      if (link.isClosed) return;
      // Even if the leader refused: it may be the only one that could not store it.
      if (found.writtenAt !== undefined) return await this.#succeed(rest, found.writtenAt);
      if (outcome.status === 'refused') return await this.#refused(rest, expected, outcome);
      if (outcome.status === 'unexpected' && found.overtaken.size === 0 && attempt++ === MAX_ATTEMPTS)
        return this.#fail(rest);
      for (const stream of found.overtaken)
        this.#conflict(
          rest.filter((one) => one.stream === stream),
          stream,
        );
      rest = rest.filter(({ stream }) => !found.overtaken.has(stream));
    }
  }

  #send(batch: readonly Waiting[], expected: Expectations, by: string): Promise<BatchOutcome> {
    const { connection, subjects } = this.#options;
    const seen = new Set<string>();
    const messages: Outgoing[] = [];
    for (const { stream, sealed } of batch) {
      const subject = subjects.of(stream);
      const { seq = 0, removed = 0 } = expected.get(stream) ?? {};
      for (const one of sealed) {
        const headers = recordHeaders(one, removed);
        signAttempt(headers, by);
        // The server checks each subject once per batch: later messages of the batch follow anyway.
        if (!seen.has(stream)) expectSequence(headers, seq);
        seen.add(stream);
        messages.push({ subject, data: one.text, headers });
      }
    }
    return writeBatch(connection, messages, { timeout: ANSWER, broken: this.#options.link.broken });
  }

  /**
   * Reads past the expected end of each stream: the sequence where the batch starts if it was written,
   * and the streams that others have written to. Retries until there is an answer.
   */
  async #compare(
    batch: readonly Waiting[],
    expected: Expectations,
    by: string,
  ): Promise<{ readonly writtenAt?: number; readonly overtaken: ReadonlySet<string> }> {
    const overtaken = new Set<string>();
    const looked = new Set<string>();
    let index = 0;
    for (const { stream, sealed } of batch) {
      if (this.#options.link.isClosed) break;
      const [first] = sealed;
      if (first !== undefined && !looked.has(stream)) {
        looked.add(stream);
        const next = await this.#ask(() => this.#nextIn(stream, expected.get(stream)?.seq ?? 0));
        if (next !== undefined && isWrittenBy(next, by)) return { writtenAt: next.seq - index, overtaken };
        if (next !== undefined) {
          await this.#ask(() => this.#options.reader.lookUp(stream));
          overtaken.add(stream);
        }
      }
      index += sealed.length;
    }
    return { overtaken };
  }

  #nextIn(stream: string, after: number) {
    const { manager, subjects } = this.#options;
    return nextMessage(manager, this.#options.stream, { subject: subjects.of(stream), after });
  }

  async #ask<Value>(question: () => Promise<Value>): Promise<Value | undefined> {
    const link = this.#options.link;
    for (;;) {
      try {
        return await question();
      } catch (error) {
        if (link.isClosed) return undefined;
        link.lost(error);
        await link.usable();
      }
    }
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
   * their stream: during a leader change a server may accept two that expect the same end.
   */
  async #succeed(batch: readonly Waiting[], firstSeq: number): Promise<void> {
    const { reader, link } = this.#options;
    let seq = firstSeq;
    const written = batch.map((waiting) => ({
      waiting,
      records: waiting.sealed.map((one) => one.at(seq++)),
    }));
    for (const { records } of written) reader.wrote(records);
    await reader.reached(seq - 1);
    if (link.isClosed) return;
    const isVoid = ({ records }: (typeof written)[number]): boolean =>
      records.some((one) => reader.isVoid(one.seq));
    const lost = new Set(written.filter(isVoid).map(({ waiting }) => waiting.stream));
    const won = written.filter(({ waiting }) => !lost.has(waiting.stream));
    this.lanes.landed(won.map(({ waiting }) => waiting));
    for (const { waiting, records } of won)
      settleAlone(() => waiting.settle(waiting.answer ?? { status: 'appended', records }));
    for (const stream of lost)
      this.#conflict(
        batch.filter((one) => one.stream === stream),
        stream,
      );
  }

  #conflict(batch: readonly Waiting[], stream: string): void {
    const behind = this.lanes.takeBehind(stream);
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
      this.lanes.takeBehind(stream),
    );
    this.#settle([...batch, ...behind], outcome);
  }

  #settle(batch: readonly Waiting[], outcome: AppendOutcome): void {
    this.lanes.landed(batch);
    for (const { settle } of batch) settleAlone(() => settle(outcome));
  }

  #tellIfIdle(): void {
    if (!this.lanes.isEmpty) return;
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
