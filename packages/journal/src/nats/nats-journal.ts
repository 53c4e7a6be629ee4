import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { HashText } from '@proffer/core';
import type { RecordContent, StreamHead } from '@proffer/core/records';
import type { SpaceScope } from '../feed.js';
import type {
  Append,
  CloseOptions,
  CompactOptions,
  CompactReport,
  Journal,
  JournalEvent,
  JournalFeedOptions,
  JournalHead,
  PeerChannel,
  VerifyReport,
} from '../journal.js';
import { JournalError } from '../journal-error.js';
import type { TailLimits } from '../live-tail.js';
import { type AppendOutcome, cannotWrite, type Unavailable, unavailable } from '../outcome.js';
import { type SealedAhead, type StoredRecord, sealAhead, spaceOf } from '../stored-record.js';
import type { TreeStore } from '../tree-store.js';
import { reading } from './authenticity/foreign-messages.js';
import type { Authenticity } from './authenticity/index.js';
import { StoppedSpaces } from './authenticity/stopped-spaces.js';
import { compactStream } from './compaction.js';
import { NatsLink } from './link/link.js';
import type { ReadMessage } from './messages/message.js';
import type { Subjects } from './messages/subjects.js';
import { createPeerChannel } from './peers/peer-channel.js';
import { createPast } from './read/history.js';
import type { KnownHeads } from './read/known-heads.js';
import { NatsReader } from './read/reader.js';
import { createTreeStream } from './tree-stream.js';
import { verifyMessages } from './verify/verify.js';
import { BatchWriter } from './write/batch-writer.js';

/** The parts of a journal on NATS. */
export interface NatsJournalParts {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** The name of the JetStream stream. */
  readonly stream: string;
  readonly subjects: Subjects;
  readonly heads: KnownHeads;
  readonly authenticity: Authenticity;
  /** When the stream was created, as the servers say. */
  readonly created: string;
  /** All messages up to this sequence are known to `heads`. */
  readonly after: number;
  /** Void messages among them, to be deleted. */
  readonly voids: readonly ReadMessage[];
  readonly hash: HashText;
  readonly batchBytes: number;
  readonly patience: number;
  readonly tail: TailLimits;
}

/** How long closing waits for what is in flight while NATS does not answer, in milliseconds. */
const PATIENCE = 5_000;

/** The journal in a JetStream stream. Created by `openNatsJournal`. */
export class NatsJournal implements Journal {
  readonly peers: PeerChannel;
  readonly tree: TreeStore;
  readonly #parts: NatsJournalParts;
  readonly #heads: KnownHeads;
  readonly #link: NatsLink;
  readonly #writer: BatchWriter;
  readonly #reader: NatsReader;
  readonly #stopped: StoppedSpaces;
  #closing: Promise<void> | undefined;

  constructor(parts: NatsJournalParts) {
    this.#parts = parts;
    this.#heads = parts.heads;
    this.#link = new NatsLink({
      connection: parts.connection,
      restart: () => this.#reader.restart(),
      catchUp: (options) => this.#reader.catchUp(options),
      onFailing: () => this.#writer.refuseUnsent(),
      onUsable: () => this.#writer.start(),
      onReplaced: () => this.#reader.wakeAll(),
      patience: parts.patience,
    });
    this.#stopped = new StoppedSpaces(parts.subjects, (space, refusal) => {
      this.#link.tell({ type: 'stopped', space, refusal });
      this.#reader.wakeAll();
    });
    this.tree = createTreeStream(parts);
    this.peers = createPeerChannel({
      ...parts,
      onRejected: () => this.#link.tell({ type: 'peer_rejected' }),
    });
    const writer = randomUUID();
    this.#reader = new NatsReader({ ...parts, link: this.#link, stopped: this.#stopped, writer });
    this.#writer = new BatchWriter({ ...parts, link: this.#link, reader: this.#reader, writer });
  }

  /** Settles when everything the stream had when it was opened has arrived. */
  async start(): Promise<void> {
    await this.#reader.catchUp();
  }

  append(
    stream: string,
    expectedVersion: number,
    contents: readonly RecordContent[],
  ): Promise<AppendOutcome> {
    return new Promise((resolve) => this.#append({ stream, expectedVersion, records: contents }, resolve));
  }

  appendAll(appends: readonly Append[], settle: (outcomes: readonly AppendOutcome[]) => void): void {
    const outcomes: AppendOutcome[] = [];
    let left = appends.length;
    for (const [index, append] of appends.entries())
      this.#append(append, (outcome) => {
        outcomes[index] = outcome;
        if (--left === 0) settle(outcomes);
      });
  }

  #append({ stream, expectedVersion, records }: Append, settle: (outcome: AppendOutcome) => void): void {
    const { queue } = this.#writer;
    const planned = queue.planned(stream);
    const refusal = this.#refusal(stream);
    const from = planned ?? this.#heads.head(stream);
    const isNext = from.version === expectedVersion;
    if (refusal === undefined && isNext && records.length > 0) return this.#push(records, from, settle);
    const answer: AppendOutcome =
      refusal ?? (isNext ? { status: 'appended', records: [] } : { status: 'conflict', head: from });
    if (refusal !== undefined) this.#link.writeFailed(refusal.refusal);
    // An answer that depends on what is in flight waits for it, and fails with it.
    if (planned === undefined) queueMicrotask(() => settle(answer));
    else {
      queue.push({ stream, sealed: [], bytes: 0, answer, settle }, planned);
      this.#writer.start();
    }
  }

  async *read(stream: string, fromVersion = 1): AsyncGenerator<StoredRecord> {
    this.#checkStream();
    if (this.#writer.queue.planned(stream) !== undefined) await this.#writer.settled();
    yield* this.#reader.stream(stream, fromVersion);
  }

  async head(stream: string, atLeast = 1): Promise<JournalHead> {
    // Usually the missing part is found at once. Only a leader with a majority is trusted when it
    // reports that there is no more.
    for (const isCertain of [false, true]) {
      this.#checkStream();
      const known = this.headNow(stream);
      if (known.version >= atLeast) return known;
      await reading(this.#reader.lookUp(stream, { isCertain }));
    }
    return this.headNow(stream);
  }

  headNow(stream: string): JournalHead {
    return this.#heads.withRemoved(stream, this.#writer.queue.planned(stream));
  }

  feed(space: SpaceScope, afterSeq: number, options: JournalFeedOptions = {}): AsyncIterable<StoredRecord> {
    return this.#reader.follow(space, afterSeq, options);
  }

  feedPieces(
    space: SpaceScope,
    afterSeq: number,
    options: JournalFeedOptions = {},
  ): AsyncIterable<readonly StoredRecord[]> {
    return this.#reader.pieces(space, afterSeq, options);
  }

  /**
   * Includes what another gateway wrote a moment ago; while NATS does not answer, what has arrived
   * here.
   */
  async lastSeq(space: SpaceScope, atLeast = 0): Promise<number> {
    await this.#catchUp({ isCertain: false });
    if (this.#heads.lastSeq(space) < atLeast) await this.#catchUp({ isCertain: true });
    const known = this.#heads.lastSeq(space);
    if (known < atLeast && !this.#link.isUsable) throw new JournalError(this.#link.refusal);
    return known;
  }

  watch(listener: (event: JournalEvent) => void): () => void {
    for (const [space, refusal] of this.#stopped.all()) listener({ type: 'stopped', space, refusal });
    return this.#link.watch(listener);
  }

  async verify(): Promise<VerifyReport> {
    await this.#writer.settled();
    const { manager, stream } = this.#parts;
    return await reading(verifyMessages({ past: createPast(manager, stream), ...this.#parts }));
  }

  async compact(options: CompactOptions): Promise<CompactReport> {
    const stopping = { broken: () => this.#link.broken, isStopping: () => this.#closing !== undefined };
    this.#checkStream();
    const report = await compactStream({ ...this.#parts, ...stopping }, options);
    await this.#reader.catchUp();
    return report;
  }

  close({ patience = PATIENCE }: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#close(patience);
    return this.#closing;
  }

  async #catchUp(options: { readonly isCertain: boolean }): Promise<void> {
    if (this.#closing === undefined && this.#link.isUsable)
      await this.#reader.catchUp(options).catch((error: unknown) => this.#link.lost(error));
  }

  async #close(patience: number): Promise<void> {
    const giveUp = new AbortController();
    const { signal } = giveUp;
    // What was not sent is refused even then; what was sent may be written, so it gets no answer.
    const gaveUp = delay(patience, undefined, { signal }).then(
      () => this.#writer.refuseUnsent(),
      () => undefined,
    );
    await Promise.race([this.#writer.settled(), gaveUp]);
    giveUp.abort();
    this.#link.close();
    await this.#reader.close();
    await this.#parts.connection.close();
  }

  #refusal(stream: string): Unavailable | undefined {
    if (this.#closing !== undefined) return unavailable('The journal is closed.');
    if (this.#link.isOpen) return this.#stopped.answerIn(spaceOf(stream));
    return { status: 'unavailable', refusal: this.#link.refusal };
  }

  /** Another stream has nothing to say about what is known here. */
  #checkStream(): void {
    if (this.#link.isReplaced) throw new JournalError(this.#link.refusal);
  }

  /** Seals the records onto the head and queues them for the server; the new head counts at once. */
  #push(
    contents: readonly RecordContent[],
    from: StreamHead,
    settle: (outcome: AppendOutcome) => void,
  ): void {
    const { stream } = from;
    let head = from;
    let bytes = 0;
    let largest = 0;
    const sealed: SealedAhead[] = [];
    try {
      for (const content of contents) {
        const one = sealAhead(content, head, this.#parts.hash);
        head = one.head;
        const size = Buffer.byteLength(one.text) + HEADERS;
        bytes += size;
        largest = Math.max(largest, size);
        sealed.push(one);
      }
    } catch (error) {
      return queueMicrotask(() => settle(cannotWrite(error)));
    }
    const most = this.#parts.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (largest > most) return this.#tooLarge(largest, most, settle);
    this.#writer.queue.push({ stream, sealed, bytes, settle }, head);
    this.#writer.start();
  }

  #tooLarge(found: number, most: number, settle: (outcome: AppendOutcome) => void): void {
    const message = `The record has ${found} bytes and the NATS servers accept ${most} (max_payload): raise that, or lower limits.message_size.`;
    const outcome = unavailable(message, { found, most });
    this.#link.writeFailed(outcome.refusal);
    queueMicrotask(() => settle(outcome));
  }
}

/** The approximate size of a record's headers in bytes. */
const HEADERS = 400;
