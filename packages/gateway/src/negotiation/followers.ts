import { sessionStream } from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { Ending } from '../delivery/sink.js';
import type { AcceptedRecord, Listener, Subscription } from './runtime.js';

export interface FollowersOptions {
  readonly journal: Journal;
  /** Bytes that a follower may leave unread before it is sent away to resume later (I-7). */
  readonly maxUnread: number;
  readonly onFellBehind: () => void;
}

/** Somebody who follows a session. */
interface Follower {
  readonly listener: Listener<AcceptedRecord>;
  readonly mayStay: () => boolean;
  readonly channel: Channel;
  /** The sequence number that it has got everything up to. */
  cursor: number;
  /** False while it reads history. */
  isLive: boolean;
  isOver: boolean;
}

/** A session that is followed. */
interface Channel {
  readonly sessionId: string;
  readonly followers: Set<Follower>;
  /** The last sequence number that came by. */
  delivered: number;
}

/** History is written in pieces of about this many bytes. */
const PIECE = 65_536;

/**
 * Brings what becomes durable to those who follow a session: first history, then live. Sequence numbers
 * of a session have no gaps, so each follower knows by itself what comes next (I-6).
 */
export class Followers {
  readonly #options: FollowersOptions;
  readonly #channels = new Map<string, Channel>();
  #ended = false;

  constructor(options: FollowersOptions) {
    this.#options = options;
  }

  /** Follows a session that exists. */
  follow(
    sessionId: string,
    after: number,
    { listener, mayStay }: Pick<Follower, 'listener' | 'mayStay'>,
  ): Subscription {
    const channel = this.#channels.get(sessionId) ?? { sessionId, followers: new Set(), delivered: 0 };
    this.#channels.set(sessionId, channel);
    const follower: Follower = { listener, mayStay, channel, cursor: after, isLive: false, isOver: false };
    channel.followers.add(follower);
    if (this.#ended) this.#end(follower, 'going_away');
    else void this.#catchUp(follower);
    return { stop: () => this.#leave(follower) };
  }

  /** A record became durable; in the order of the journal. */
  deliver(sessionId: string, record: AcceptedRecord): void {
    const channel = this.#channels.get(sessionId);
    if (channel === undefined) return;
    channel.delivered = record.version;
    for (const follower of channel.followers) {
      if (!follower.isLive || record.version <= follower.cursor) continue;
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

  /** Sends away those who may no longer read (I-4). */
  dismiss(): void {
    for (const follower of this.#all()) if (!follower.mayStay()) this.#end(follower, 'credential_revoked');
  }

  /** Ends everything, and what comes after it. */
  end(): void {
    this.#ended = true;
    for (const follower of this.#all()) this.#end(follower, 'going_away');
  }

  *#all(): Generator<Follower> {
    for (const { followers } of this.#channels.values()) yield* followers;
  }

  /** Reads history until nothing is missing, then goes live in the same turn of the event loop. */
  async #catchUp(follower: Follower): Promise<void> {
    follower.isLive = false;
    const { listener, channel } = follower;
    try {
      for (;;) {
        const from = follower.cursor;
        for await (const record of this.#options.journal.read(sessionStream(channel.sessionId), from + 1)) {
          if (follower.isOver) return;
          this.#write(follower, record as AcceptedRecord);
          if (listener.buffered() > PIECE) await listener.drained();
        }
        if (follower.isOver) return;
        // What the journal no longer has cannot be brought.
        if (follower.cursor === from) follower.cursor = Math.max(from, channel.delivered);
        if (channel.delivered <= follower.cursor) break;
      }
      follower.isLive = true;
    } catch {
      this.#end(follower, 'interrupted');
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

  #end(follower: Follower, why: Ending): void {
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
