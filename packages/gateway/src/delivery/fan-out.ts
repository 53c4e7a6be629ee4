import { type Envelope } from '@proffer/core';
import { reaches, type SpaceSettings } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import { createAudience } from './audience.js';
import { createBatch, type StoredOperation } from './batch.js';
import { inTurns } from './in-turns.js';
import { deliverBatch, deliverMessage, type Following, frameEnvelope, getsEverything } from './subscriber.js';

/** Delivers what becomes durable to the subscribers of a space. */
export interface FanOut {
  /** Every record up to this `seq` was delivered to the live subscribers. */
  readonly seq: number;
  /** Current subscribers, catching up or live. */
  readonly size: number;
  /** The connections of one participant. */
  connectionsOf(name: string): readonly Following[];
  deliver(records: readonly StoredOperation[]): void;
  /** Sends a message about a participant that is not in the journal to everyone else, in turns of the event loop. */
  announce(envelope: Envelope, about: string): void;
  /**
   * Sends a frame that is not in the journal to some of them; one that leaves too much unread is disconnected
   * (I-7).
   */
  relay(frame: Buffer, gets: (subscriber: Following) => boolean): void;
  /** Sends a message that is not in the journal to one of them. */
  tell(subscriber: Following, envelope: Envelope): void;
  /**
   * Sends a record again to a participant that sent the same message again (O-3); does nothing if it is still on its
   * way, since whoever sees a `seq` must have seen everything before it (I-6).
   */
  repeat(subscriber: Following, record: StoredOperation): void;
  /** Disconnects a subscriber that leaves too much unread (I-7). True if it may stay. */
  checkUnread(subscriber: Following): boolean;
  /** Starts to follow after a `seq`: first history, then live, with no gap and no repeat (I-6). */
  follow(subscriber: Following, after: number): void;
  unfollow(subscriber: Following): void;
  /** Disconnects those who may no longer be here (I-4), all at once. */
  dismiss(): void;
  /** Disconnects a participant that was removed, after all that was delivered to it (O-52). */
  remove(name: string): void;
  /** Dismisses in turns of the event loop, so that a large number does not delay others (I-7). */
  dismissInTurns(): Promise<void>;
  /** Ends every connection, including later ones. */
  end(): void;
}

export interface FanOutOptions {
  readonly journal: Journal;
  readonly settings: SpaceSettings;
  /** The last `seq` of the space when it was opened. */
  readonly seq: number;
  /** Bytes that a subscriber may leave unread before it is disconnected to resume later (I-7). */
  readonly maxUnread: number;
  readonly onFellBehind: () => void;
}

/** A subscriber that is still reading history. */
interface CatchingUp {
  readonly controller: AbortController;
  /** The last `seq` written to it. */
  cursor: number;
}

/** History is read and written in chunks of about this many bytes. */
const PIECE = 65_536;

export function createFanOut({
  journal,
  settings,
  maxUnread,
  onFellBehind,
  ...options
}: FanOutOptions): FanOut {
  const live = createAudience(settings);
  const catchingUp = new Map<Following, CatchingUp>();
  // Subscribers whose history reached further than the live ones: they skip the overlap.
  const overtaken = new Map<Following, number>();
  const announcements: { readonly envelope: Envelope; readonly about: string }[] = [];
  let seq = options.seq;
  let ended = false;

  function unfollow(subscriber: Following): void {
    live.delete(subscriber);
    overtaken.delete(subscriber);
    catchingUp.get(subscriber)?.controller.abort();
    catchingUp.delete(subscriber);
  }

  function checkUnread(subscriber: Following): boolean {
    if (subscriber.sink.buffered() <= maxUnread) return true;
    unfollow(subscriber);
    subscriber.sink.end('fell_behind');
    onFellBehind();
    return false;
  }

  /** Reads history until nothing is missing, then goes live in the same turn of the event loop. */
  async function catchUp(subscriber: Following, progress: CatchingUp): Promise<void> {
    const { signal } = progress.controller;
    while (progress.cursor < seq) {
      const goal = seq;
      for await (const piece of piecesAfter(progress.cursor, subscriber, signal)) {
        progress.cursor = piece.upTo;
        subscriber.sink.write(piece.bytes);
        await subscriber.sink.drained();
      }
      if (signal.aborted) return;
      // Everything up to there is durable, so it was read; but the last of it may be removed or not for this
      // one.
      progress.cursor = Math.max(progress.cursor, goal);
    }
    catchingUp.delete(subscriber);
    if (progress.cursor > seq) overtaken.set(subscriber, progress.cursor);
    live.add(subscriber);
  }

  /** History in chunks that bound the memory of a slow reader, whatever the size of the messages (I-7). */
  async function* piecesAfter(
    after: number,
    subscriber: Following,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly bytes: Buffer; readonly upTo: number }> {
    let frames: Buffer[] = [];
    let size = 0;
    let upTo = after;
    for await (const stored of journal.feed(settings.name, after, { signal, follow: false })) {
      const record = stored as StoredOperation;
      upTo = record.seq;
      if (!getsEverything(subscriber, settings) && !reaches(record, subscriber, settings)) continue;
      const frame = createBatch([record]).all(subscriber.reading);
      frames.push(frame);
      size += frame.length;
      if (size < PIECE) continue;
      yield { bytes: Buffer.concat(frames), upTo };
      frames = [];
      size = 0;
    }
    if (size > 0 && !signal.aborted) yield { bytes: Buffer.concat(frames), upTo };
  }

  function withoutOverlap(
    subscriber: Following,
    records: readonly StoredOperation[],
  ): readonly StoredOperation[] {
    const reached = overtaken.get(subscriber);
    return reached === undefined ? records : records.filter((record) => record.seq > reached);
  }

  /** A copy: those that are disconnected in the loop are removed. */
  const everybody = (): readonly Following[] => [...live, ...catchingUp.keys()];

  function dismissIfRevoked(subscriber: Following): void {
    if (subscriber.mayStay()) return;
    unfollow(subscriber);
    subscriber.sink.end('credential_revoked');
  }

  /** One announcement at a time, so that everyone gets them in order. */
  async function announceAll(): Promise<void> {
    for (let [next] = announcements; next !== undefined; [next] = announcements) {
      const { envelope, about } = next;
      const frames = new Map<string, Buffer>();
      await inTurns(everybody(), (subscriber) => {
        const { name, reading, sink } = subscriber;
        if (name === about) return;
        const key = `${reading.framing} ${reading.dialect}`;
        const frame = frames.get(key) ?? frameEnvelope(reading, envelope);
        frames.set(key, frame);
        sink.write(frame);
        checkUnread(subscriber);
      });
      announcements.shift();
    }
  }

  /** The `seq` up to which a subscriber has everything. */
  const reachedBy = (subscriber: Following): number =>
    catchingUp.get(subscriber)?.cursor ?? Math.max(overtaken.get(subscriber) ?? 0, seq);

  return {
    get seq() {
      return seq;
    },
    get size() {
      return live.size + catchingUp.size;
    },
    connectionsOf: (name) => everybody().filter((subscriber) => subscriber.name === name),
    deliver(records) {
      const last = records.at(-1);
      if (last === undefined) return;
      seq = last.seq;
      const batch = createBatch(records);
      live.forEachReached(records, (subscriber) => {
        const own = overtaken.size === 0 ? records : withoutOverlap(subscriber, records);
        // Checked before it gets more: a good reader is not disconnected because a batch was large.
        if (own.length === 0 || !checkUnread(subscriber)) return;
        deliverBatch(subscriber, own === records ? batch : createBatch(own), settings);
      });
      for (const [subscriber, reached] of overtaken) if (reached <= seq) overtaken.delete(subscriber);
    },
    announce(envelope, about) {
      if (announcements.push({ envelope, about }) === 1) void announceAll();
    },
    relay(frame, gets) {
      for (const subscriber of everybody())
        if (gets(subscriber) && checkUnread(subscriber)) subscriber.sink.write(frame);
    },
    tell(subscriber, envelope) {
      deliverMessage(subscriber, envelope);
      checkUnread(subscriber);
    },
    repeat(subscriber, record) {
      if (record.seq > reachedBy(subscriber)) return;
      subscriber.sink.write(createBatch([record]).all(subscriber.reading));
      checkUnread(subscriber);
    },
    follow(subscriber, after) {
      if (ended) return subscriber.sink.end('going_away');
      if (after >= seq) {
        // The subscriber was ahead of this gateway at another one.
        if (after > seq) overtaken.set(subscriber, after);
        live.add(subscriber);
        return;
      }
      const progress: CatchingUp = { controller: new AbortController(), cursor: after };
      catchingUp.set(subscriber, progress);
      catchUp(subscriber, progress).catch(() => {
        unfollow(subscriber);
        subscriber.sink.end('interrupted');
      });
    },
    unfollow,
    checkUnread,
    dismiss() {
      for (const subscriber of everybody()) dismissIfRevoked(subscriber);
    },
    remove(name) {
      for (const subscriber of everybody()) {
        if (subscriber.name !== name) continue;
        unfollow(subscriber);
        subscriber.sink.end('kicked');
      }
    },
    dismissInTurns: () => inTurns(everybody(), dismissIfRevoked),
    end() {
      ended = true;
      for (const subscriber of everybody()) {
        unfollow(subscriber);
        subscriber.sink.end('going_away');
      }
    },
  };
}
