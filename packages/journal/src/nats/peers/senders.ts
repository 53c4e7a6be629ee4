import { randomUUID } from 'node:crypto';
import { ReplayWindow } from './replay-window.js';

/** What is known about another process on the channel. */
export interface PeerSender<Message> {
  readonly window: ReplayWindow;
  /** Whether it has shown that it is running. */
  isLive: boolean;
  /** The sender's messages that wait for that, in the order of arrival. */
  held: Message[];
  /** What it is asked: nobody could have known the answer before. */
  readonly question: string;
  /** When it was last asked, and heard from, in milliseconds on a monotonic clock. */
  askedAt: number;
  heardAt: number;
}

/** How many processes are known at a time, and how many messages of one are held, at most (I-7). */
const MOST = 256;
const MOST_HELD = 256;

/** How long a process may be silent before it is forgotten, in milliseconds. */
const SILENCE = 60_000;

/** The other processes on a channel, by their ids. */
export class Senders<Message> {
  readonly #known = new Map<string, PeerSender<Message>>();

  /** The process with an id, which was heard from now. */
  hear(id: string, now: number): PeerSender<Message> {
    const known = this.#known.get(id);
    // The one that was heard from last comes last.
    this.#known.delete(id);
    const sender = known ?? {
      window: new ReplayWindow(),
      question: randomUUID(),
      isLive: false,
      held: [],
      askedAt: Number.NEGATIVE_INFINITY,
      heardAt: now,
    };
    sender.heardAt = now;
    this.#known.set(id, sender);
    this.#forget(now);
    return sender;
  }

  /** Keeps a message for when its sender has shown that it is running. */
  hold(sender: PeerSender<Message>, message: Message): void {
    if (sender.held.length === MOST_HELD) sender.held.shift();
    sender.held.push(message);
  }

  #forget(now: number): void {
    for (const [id, { heardAt }] of this.#known) {
      if (this.#known.size <= MOST && now - heardAt < SILENCE) return;
      this.#known.delete(id);
    }
  }
}
