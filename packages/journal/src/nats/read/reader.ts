import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { Feeds, type HistoryChunk, type SpaceScope } from '../../feed.js';
import { EVERY_SPACE, type JournalFeedOptions } from '../../journal.js';
import { JournalError } from '../../journal-error.js';
import type { TailLimits } from '../../live-tail.js';
import type { StoredRecord } from '../../stored-record.js';
import { type Authentic, createAuthentic, type Entry } from '../authenticity/authentic-message.js';
import { reading } from '../authenticity/foreign-messages.js';
import type { Authenticity } from '../authenticity/index.js';
import type { StoppedSpaces } from '../authenticity/stopped-spaces.js';
import type { NatsLink } from '../link/link.js';
import { createQuorumCheck } from '../link/quorum.js';
import { createIdentityCheck } from '../link/stream-identity.js';
import { headOfRecord, type MessageHead, type ReadMessage } from '../messages/message.js';
import type { Subjects } from '../messages/subjects.js';
import { Chain } from '../verify/chain.js';
import { VoidRecords } from '../verify/void-records.js';
import { lastMessage } from '../write/batch.js';
import { type OwnRecord, OwnRecords } from '../write/own-records.js';
import { checkedPast, createPast, type Past, type Piece } from './history.js';
import type { KnownHeads } from './known-heads.js';
import { Tail } from './tail.js';

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
  readonly link: NatsLink;
  readonly authenticity: Authenticity;
  /** When the stream was created. */
  readonly created: string;
  readonly stopped: StoppedSpaces;
  /** How messages that are written here say so. */
  readonly writer: string;
}

/** After this time without delivering existing messages, a consumer counts as stalled, in milliseconds. */
const STALLED = 750;

/** How long messages that the stream's leader has may take to arrive, in milliseconds. */
const ARRIVAL = 3_000;

/** What a message says, and its record; a mark has none. */
interface Arrived {
  readonly head: MessageHead;
  readonly record: StoredRecord | undefined;
}

/** Reads the stream of a journal: live messages, for followers, and history. */
export class NatsReader {
  /** What gateways wrote. */
  readonly past: Past;
  readonly #authentic: Authentic;
  readonly #options: ReaderOptions;
  readonly #tail: Tail;
  readonly #feeds: Feeds;
  readonly #own = new OwnRecords();
  readonly #voids: VoidRecords;
  readonly #verify: () => Promise<void>;
  readonly #confirm: () => Promise<void>;

  constructor(options: ReaderOptions) {
    const { client, manager, stream, heads, after, stopped } = options;
    this.#options = options;
    this.#authentic = createAuthentic(options.authenticity, ({ subject }, refusal) =>
      stopped.stop(subject, refusal),
    );
    this.past = checkedPast(createPast(manager, stream), this.#authentic);
    const known = () => ({ seq: this.#tail.seq, subjects: heads.size });
    const verify = createIdentityCheck(manager, { ...options, known });
    this.#verify = verify;
    this.#confirm = createQuorumCheck(manager, stream, verify);
    this.#voids = new VoidRecords({ manager, stream, past: this.past });
    for (const message of options.voids) this.#voids.add(message);
    const source = {
      lastSeq: (space: SpaceScope) => heads.lastSeq(space),
      history: (space: SpaceScope, afterSeq: number) => this.#history(space, afterSeq),
      check: (space: SpaceScope) => this.#check(space),
    };
    this.#feeds = new Feeds(source, options.tail);
    const onMessages = (messages: readonly ReadMessage[]): void => this.#arrived(messages);
    const onTrouble = (error: Error): void => options.link.lost(error);
    this.#tail = new Tail({ client, stream, after, verify, onMessages, onTrouble });
  }

  /** Records were written here; they will arrive with the others in a moment. */
  wrote(records: readonly OwnRecord[]): void {
    this.#own.add(records);
  }

  /** Settles when everything up to a sequence has arrived. */
  async reached(seq: number): Promise<void> {
    await this.#tail.reached(seq);
  }

  /** Rejects unless the stream is the one that was opened, and has everything that was read from it. */
  async verify(): Promise<void> {
    await this.#verify();
  }

  /** Whether records that were written here have arrived, all of them. Ask once, after {@link reached}. */
  haveArrived(seqs: readonly number[]): boolean {
    return this.#own.haveArrived(seqs);
  }

  /** Whether a record is void, because another was first in its stream. */
  isVoid(seq: number): boolean {
    return this.#voids.has(seq);
  }

  /** See `Journal.feed`. */
  follow(space: SpaceScope, afterSeq: number, options: JournalFeedOptions): AsyncIterable<StoredRecord> {
    return this.#feeds.follow(space, afterSeq, options);
  }

  /** See `Journal.feedPieces`. */
  pieces(
    space: SpaceScope,
    afterSeq: number,
    options: JournalFeedOptions,
  ): AsyncIterable<readonly StoredRecord[]> {
    return this.#feeds.pieces(space, afterSeq, options);
  }

  /** See `Journal.read`. */
  async *stream(stream: string, fromVersion: number): AsyncGenerator<StoredRecord> {
    const { subjects, heads } = this.#options;
    const chain = new Chain();
    const from = Math.max(fromVersion, heads.of(stream).removed + 1);
    for (let seq = 0; seq !== Number.POSITIVE_INFINITY; ) {
      const { messages, upTo } = await reading(this.past.after(subjects.of(stream), seq));
      for (const entry of messages) {
        if (chain.take(entry) === 'void') continue;
        heads.reach(stream, entry.head);
        const record = this.#authentic.record(entry);
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
      for (const entry of messages) if (chain.take(entry) === 'void') isClean = false;
      seq = upTo;
    }
    if (!isClean) await this.#voids.remove({ subject });
    if (chain.end.version > 0) heads.reach(stream, chain.end);
  }

  /**
   * Settles when everything the stream's leader has now has arrived. Rejects if it does not answer, or if it is a
   * leader of another stream.
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

  /** Makes all feeds notice that their space is stopped, or that there is another stream. */
  wakeAll(): void {
    this.#feeds.wakeAll();
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
    const { heads, stopped } = this.#options;
    const records: StoredRecord[] = [];
    let bytes = 0;
    for (const message of messages) {
      const arrived = this.#ownIn(message) ?? this.#othersIn(message);
      if (arrived === undefined) continue;
      const { head, record } = arrived;
      if (!heads.learn(message.subject, head, record?.prev)) {
        this.#voids.add(message);
        continue;
      }
      if (record === undefined || stopped.hasSubject(message.subject)) continue;
      records.push(record);
      bytes += message.data.length;
    }
    if (records.length > 0) this.#feeds.publish(records, bytes);
    this.#feeds.wake();
  }

  #ownIn({ subject, seq, data }: ReadMessage): Arrived | undefined {
    const record = this.#own.take(seq, data);
    if (record === undefined || this.#options.subjects.of(record.stream) !== subject) return undefined;
    return { head: headOfRecord(record), record };
  }

  /** `undefined` for a message that means nothing, and for one that no gateway wrote: that stops its space. */
  #othersIn(message: ReadMessage): Arrived | undefined {
    try {
      const entry = this.#authentic.entry(message);
      if (entry?.head.writtenBy.startsWith(this.#options.writer) === true) this.#own.arrived(entry.seq);
      return entry && { head: entry.head, record: this.#authentic.record(entry) };
    } catch (error) {
      if (error instanceof JournalError) return undefined;
      throw error;
    }
  }

  #check(space: SpaceScope): void {
    const { link, stopped } = this.#options;
    const refusal = link.isReplaced ? link.refusal : stopped.reasonIn(space);
    if (refusal !== undefined) throw new JournalError(refusal);
  }

  async #history(space: SpaceScope, afterSeq: number): Promise<HistoryChunk> {
    const { heads, subjects } = this.#options;
    // Messages that arrive during this read are not part of it.
    const end = heads.lastSeq(space);
    const { messages, upTo } = await this.#piece(subjects.below(space), afterSeq);
    // Whether they are valid is known once they have arrived in order.
    await this.#tail.reached(messages.at(-1)?.seq ?? 0);
    const records: StoredRecord[] = [];
    for (const entry of messages) {
      const record = this.#authentic.record(entry);
      if (record !== undefined && !this.#isRemoved(record) && !this.#voids.has(record.seq))
        records.push(record);
    }
    return { records, upTo: Math.min(upTo, Math.max(end, messages.at(-1)?.seq ?? 0)) };
  }

  /** A follower does not stop when NATS is gone for a while: it continues when NATS is back. */
  async #piece(subject: string, afterSeq: number): Promise<Piece<Entry>> {
    const { link } = this.#options;
    for (;;) {
      try {
        return await this.past.after(subject, afterSeq);
      } catch (error) {
        if (error instanceof JournalError) throw error;
        if (link.isOver) return { messages: [], upTo: Number.POSITIVE_INFINITY };
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
