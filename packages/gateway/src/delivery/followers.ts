import { sessionStream } from '@proffer/core/negotiation';
import type { Journal } from '@proffer/journal';
import type { AcceptedRecord, FollowedSession, Listener } from '../negotiation/index.js';
import { createSemaphore } from './semaphore.js';
import type { ConnectionEnding } from './sink.js';

export interface FollowersOptions {
  readonly journal: Journal;
  /** Bytes that a follower may leave unread before it is disconnected to resume later (I-7). */
  readonly maxUnread: number;
  readonly onFellBehind: () => void;
}

/** A follower of a session. */
interface Follower {
  readonly listener: Listener<AcceptedRecord>;
  readonly mayStay: () => boolean;
  readonly channel: Channel;
  /** The sequence number up to which it has everything. */
  cursor: number;
  /** While it reads history: resolves when that is done. */
  catchingUp: Promise<void> | undefined;
  isOver: boolean;
}

/** A followed session. */
interface Channel {
  readonly sessionId: string;
  readonly followers: Set<Follower>;
  /** The last delivered sequence number. */
  delivered: number;
}

/** History is written in chunks of about this many bytes. */
const PIECE = 65_536;

/** How many may read history at the same time. */
const MAX_READERS = 16;

/**
 * Delivers what becomes durable to the followers of a session: first history, then live. Sequence numbers of a session
 * have no gaps, so each follower knows what comes next (I-6).
 */
export class Followers {
  readonly #options: FollowersOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #readers = createSemaphore(MAX_READERS);
  #ended = false;

  constructor(options: FollowersOptions) {
    this.#options = options;
  }

  /** Follows a session that exists. */
  follow(
    sessionId: string,
    after: number,
    { listener, mayStay }: Pick<Follower, 'listener' | 'mayStay'>,
  ): FollowedSession {
    const channel = this.#channels.get(sessionId) ?? { sessionId, followers: new Set(), delivered: 0 };
    this.#channels.set(sessionId, channel);
    const follower: Follower = {
      listener,
      mayStay,
      channel,
      cursor: after,
      catchingUp: undefined,
      isOver: false,
    };
    channel.followers.add(follower);
    if (this.#ended) this.#end(follower, 'going_away');
    else void this.#catchUp(follower);
    return { stop: () => this.#leave(follower), delivered: () => this.#deliverAll(follower) };
  }

  /** Delivers a durable record; call it in journal order. */
  deliver(sessionId: string, record: AcceptedRecord): void {
    const channel = this.#channels.get(sessionId);
    if (channel === undefined) return;
    channel.delivered = record.version;
    for (const follower of channel.followers) {
      if (follower.catchingUp !== undefined || record.version <= follower.cursor) continue;
      if (record.version > follower.cursor + 1) {
        void this.#catchUp(follower);
        continue;
      }
      this.#write(follower, record);
      if (follower.listener.buffered() <= this.#options.maxUnread) continue;
      this.#end(follower, 'fell_behind');
      this.#options.onFellBehind();
    }
  }

  /** Disconnects those who may no longer read (I-4). */
  dismiss(): void {
    for (const follower of this.#all()) if (!follower.mayStay()) this.#end(follower, 'credential_revoked');
  }

  /** Ends all subscriptions, including later ones. */
  end(): void {
    this.#ended = true;
    for (const follower of this.#all()) this.#end(follower, 'going_away');
  }

  *#all(): Generator<Follower> {
    for (const { followers } of this.#channels.values()) yield* followers;
  }

  /** Durable records may still be on their way here, so history says what exists. */
  async #deliverAll(follower: Follower): Promise<void> {
    while (follower.catchingUp !== undefined && !follower.isOver) await follower.catchingUp;
    if (!follower.isOver) await this.#catchUp(follower);
  }

  #catchUp(follower: Follower): Promise<void> {
    follower.catchingUp = this.#readHistory(follower);
    return follower.catchingUp;
  }

  /** Reads history until nothing is missing, then goes live in the same turn of the event loop. */
  async #readHistory(follower: Follower): Promise<void> {
    const { listener, channel } = follower;
    try {
      for (;;) {
        if (listener.buffered() > PIECE) await listener.drained();
        const from = follower.cursor;
        const { delivered } = channel;
        const isAll = await this.#readPiece(follower);
        if (follower.isOver) return;
        if (!isAll) continue;
        // What was delivered before this read began and was not found is removed and cannot be delivered.
        if (follower.cursor === from) follower.cursor = Math.max(from, delivered);
        if (channel.delivered <= follower.cursor) break;
      }
    } catch {
      this.#end(follower, 'interrupted');
    } finally {
      follower.catchingUp = undefined;
    }
  }

  /**
   * Reads until the follower has enough for now; true if that was everything. Nothing that was read is held while
   * waiting for a slow peer, and only a few read at the same time, so memory stays small however many follow (I-7).
   */
  async #readPiece(follower: Follower): Promise<boolean> {
    const { listener, channel, cursor } = follower;
    await this.#readers.acquire();
    try {
      if (follower.isOver) return true;
      for await (const record of this.#options.journal.read(sessionStream(channel.sessionId), cursor + 1)) {
        if (follower.isOver) return true;
        this.#write(follower, record as AcceptedRecord);
        if (listener.buffered() > PIECE) return false;
      }
      return true;
    } finally {
      this.#readers.release();
    }
  }

  #write(follower: Follower, record: AcceptedRecord): void {
    follower.cursor = record.version;
    try {
      follower.listener.write(record);
    } catch {
      this.#end(follower, 'interrupted');
    }
  }

  #end(follower: Follower, why: ConnectionEnding): void {
    if (follower.isOver) return;
    this.#leave(follower);
    follower.listener.end(why);
  }

  #leave(follower: Follower): void {
    follower.isOver = true;
    const { channel } = follower;
    channel.followers.delete(follower);
    if (channel.followers.size === 0 && this.#channels.get(channel.sessionId) === channel) {
      this.#channels.delete(channel.sessionId);
    }
  }
}
