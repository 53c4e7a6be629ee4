import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { Feeds, type History, type Space } from '../feed.js';
import { EVERY_SPACE, type FeedOptions } from '../journal.js';
import type { TailLimits } from '../live-tail.js';
import type { StoredRecord } from '../stored-record.js';
import { Chain } from './chain.js';
import { createPast, type Past, type Piece } from './history.js';
import type { KnownHeads } from './known-heads.js';
import type { Link } from './link.js';
import { headOfMessage, headOfRecord, type ReadMessage, readableRecord, recordOfMessage } from './message.js';
import { createQuorumCheck } from './quorum.js';
import { reading } from './refusals.js';
import type { Subjects } from './subjects.js';
import { Tail } from './tail.js';
import { VoidRecords } from './void-records.js';
import { lastMessage } from './write/batch.js';
import { OwnRecords } from './write/own-records.js';

export interface ReaderOptions {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  readonly heads: KnownHeads;
  /** All messages up to this sequence are known to `heads`. */
  readonly after: number;
  /** Void messages among them, to be deleted. */
  readonly voids: readonly ReadMessage[];
  readonly tail: TailLimits;
  readonly link: Link;
}

/** After this time without delivering existing messages, a consumer counts as stalled, in milliseconds. */
const STALLED = 750;

/** How long messages that the stream's leader has may take to arrive, in milliseconds. */
const ARRIVAL = 3_000;

/** Reads the stream of a journal: live messages, for followers, and history. */
export class Reader {
  readonly past: Past;
  readonly #options: ReaderOptions;
  readonly #tail: Tail;
  readonly #feeds: Feeds;
  readonly #own = new OwnRecords();
  readonly #voids: VoidRecords;
  readonly #confirm: () => Promise<void>;

  constructor(options: ReaderOptions) {
    const { client, manager, stream, heads, after } = options;
    this.#options = options;
    this.past = createPast(manager, stream);
    this.#confirm = createQuorumCheck(manager, stream);
    this.#voids = new VoidRecords({ manager, stream, past: this.past });
    for (const message of options.voids) this.#voids.add(message);
    const source = {
      lastSeq: (space: Space) => heads.lastSeq(space),
      history: (space: Space, afterSeq: number) => this.#history(space, afterSeq),
    };
    this.#feeds = new Feeds(source, options.tail);
    const onMessages = (messages: readonly ReadMessage[]): void => this.#arrived(messages);
    const onTrouble = (error: Error): void => options.link.lost(error);
    this.#tail = new Tail({ client, stream, after, onMessages, onTrouble });
  }

  /** Records were written here; they will arrive with the others in a moment. */
  wrote(records: readonly StoredRecord[]): void {
    this.#own.add(records);
  }

  /** Settles when everything up to a sequence has arrived. */
  async reached(seq: number): Promise<void> {
    await this.#tail.reached(seq);
  }

  /** Whether a record is void, because another was first in its stream. */
  isVoid(seq: number): boolean {
    return this.#voids.has(seq);
  }

  /** See `Journal.feed`. */
  follow(space: Space, afterSeq: number, options: FeedOptions): AsyncIterable<StoredRecord> {
    return this.#feeds.follow(space, afterSeq, options);
  }

  /** See `Journal.feedPieces`. */
  pieces(space: Space, afterSeq: number, options: FeedOptions): AsyncIterable<readonly StoredRecord[]> {
    return this.#feeds.pieces(space, afterSeq, options);
  }

  /** See `Journal.read`. */
  async *stream(stream: string, fromVersion: number): AsyncGenerator<StoredRecord> {
    const { subjects, heads } = this.#options;
    const chain = new Chain();
    const from = Math.max(fromVersion, heads.of(stream).removed + 1);
    for (let seq = 0; seq !== Number.POSITIVE_INFINITY; ) {
      const { messages, upTo } = await reading(this.past.after(subjects.of(stream), seq));
      for (const message of messages) {
        const record = recordOfMessage(message);
        const head = headOfMessage(message);
        if (head === undefined || chain.take(message, head) === 'void') continue;
        heads.reach(stream, head);
        if (record !== undefined && record.version >= from && !this.#isRemoved(record)) yield record;
      }
      seq = upTo;
    }
  }

  /**
   * Looks up where a stream ends, including what others wrote and has not arrived yet. Deletes void
   * records that are in the way.
   *
   * @param isCertain - whether a majority of the servers must confirm that the answer is from the
   * leader. Default false
   */
  async lookUp(stream: string, { isCertain = false } = {}): Promise<void> {
    const { subjects, heads } = this.#options;
    if (isCertain) await this.#confirm();
    const subject = subjects.of(stream);
    const chain = new Chain(heads.settled(stream));
    let isClean = true;
    for (let seq = chain.end.seq; seq !== Number.POSITIVE_INFINITY; ) {
      const { messages, upTo } = await this.past.after(subject, seq);
      for (const message of messages) {
        const head = headOfMessage(message);
        if (head !== undefined && chain.take(message, head) === 'void') isClean = false;
      }
      seq = upTo;
    }
    if (!isClean) await this.#voids.remove({ subject });
    if (chain.end.version > 0) heads.reach(stream, chain.end);
  }

  /**
   * Settles when everything the stream's leader has now has arrived. Rejects if it does not answer.
   *
   * @param isCertain - as for {@link lookUp}
   */
  async catchUp({ isCertain = false } = {}): Promise<void> {
    const { manager, stream, subjects } = this.#options;
    if (isCertain) await this.#confirm();
    const last = await lastMessage(manager, stream, subjects.below(EVERY_SPACE));
    if (last === undefined) return;
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error('records written by other gateways do not arrive')), ARRIVAL);
    });
    // A stalled consumer is recreated rather than waited for.
    const stalled = setInterval(() => this.restart(), STALLED);
    try {
      await Promise.race([this.#tail.reached(last.seq), tooLate]);
    } finally {
      clearInterval(stalled);
      clearTimeout(late);
    }
  }

  /** Resubscribes after the last message that arrived. */
  restart(): void {
    this.#tail.restart();
  }

  async close(): Promise<void> {
    this.#feeds.close();
    await this.#tail.stop();
  }

  /** Messages arrived in stream order: they are durable, and followers get them. */
  #arrived(messages: readonly ReadMessage[]): void {
    const records: StoredRecord[] = [];
    let bytes = 0;
    for (const message of messages) {
      const own = this.#own.take(message.seq);
      const read = own === undefined ? headOfMessage(message) : undefined;
      const head = own === undefined ? read : headOfRecord(own);
      if (head === undefined) continue;
      const record = own ?? (head.isMark ? undefined : readableRecord(message, read));
      if (!this.#options.heads.learn(message.subject, head, record?.prev)) {
        this.#voids.add(message);
        continue;
      }
      if (record === undefined) continue;
      records.push(record);
      bytes += message.data.length;
    }
    if (records.length > 0) this.#feeds.publish(records, bytes);
    this.#feeds.wake();
  }

  async #history(space: Space, afterSeq: number): Promise<History> {
    const { heads, subjects } = this.#options;
    // Messages that arrive during this read are not part of it.
    const end = heads.lastSeq(space);
    const { messages, upTo } = await this.#piece(subjects.below(space), afterSeq);
    // Whether they are valid is known once they have arrived in order.
    await this.#tail.reached(messages.at(-1)?.seq ?? 0);
    const records: StoredRecord[] = [];
    for (const message of messages) {
      const record = recordOfMessage(message);
      if (record !== undefined && !this.#isRemoved(record) && !this.#voids.has(record.seq))
        records.push(record);
    }
    return { records, upTo: Math.min(upTo, Math.max(end, messages.at(-1)?.seq ?? 0)) };
  }

  /** A follower does not stop when NATS is gone for a while: it continues when NATS is back. */
  async #piece(subject: string, afterSeq: number): Promise<Piece> {
    const { link } = this.#options;
    for (;;) {
      try {
        return await this.past.after(subject, afterSeq);
      } catch (error) {
        if (link.isClosed) return { messages: [], upTo: Number.POSITIVE_INFINITY };
        link.lost(error);
        await link.usable();
      }
    }
  }

  /** Removed records may stay in the stream for a while. */
  #isRemoved({ stream, version }: StoredRecord): boolean {
    return version <= this.#options.heads.of(stream).removed;
  }
}
