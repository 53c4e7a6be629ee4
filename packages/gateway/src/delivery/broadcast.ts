import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Listener, Subscription } from '../negotiation/index.js';
import type { ConnectionEnding } from './sink.js';

export interface BroadcastOptions {
  /** Bytes that a listener may leave unread before it is disconnected (I-7). */
  readonly maxUnread: number;
  readonly onFellBehind: () => void;
}

/** What a listener gets. */
export interface Tuning<Item, Told> {
  /** What to send it for an item; `undefined` if the item is not for it. */
  readonly pick: (item: Item) => Told | undefined;
  /** What to send it before anything else. */
  readonly first?: Iterable<Told>;
  readonly mayStay: () => boolean;
}

interface Member<Item> {
  tell(item: Item): void;
  mayStay(): boolean;
  end(why: ConnectionEnding): void;
}

/** How many items are queued for a listener that is still getting the initial state. */
const MAX_WAITING = 1_024;

/** The initial state is written in chunks of about this many bytes. */
const PIECE = 65_536;

/** How many items of the initial state are produced before others get a turn. */
const AT_ONCE = 16;

/** Sends listeners what happens from now on; a new one gets the current state first. */
export class Broadcast<Item> {
  readonly #options: BroadcastOptions;
  readonly #members = new Set<Member<Item>>();
  #ended = false;

  constructor(options: BroadcastOptions) {
    this.#options = options;
  }

  /** Whether there are listeners. */
  get isHeard(): boolean {
    return this.#members.size > 0;
  }

  listen<Told>(listener: Listener<Told>, { pick, first = [], mayStay }: Tuning<Item, Told>): Subscription {
    let waiting: Told[] | undefined = [];
    const leave = (): boolean => this.#members.delete(member);
    const end = (why: ConnectionEnding): void => {
      if (leave()) listener.end(why);
    };
    const fallBehind = (): void => {
      end('fell_behind');
      this.#options.onFellBehind();
    };
    const write = (told: Told): void => {
      try {
        listener.write(told);
      } catch {
        end('interrupted');
      }
    };
    const member: Member<Item> = {
      mayStay,
      end,
      tell: (item) => {
        const told = pick(item);
        if (told === undefined) return;
        if (waiting !== undefined) {
          if (waiting.push(told) > MAX_WAITING) fallBehind();
          return;
        }
        write(told);
        if (listener.buffered() > this.#options.maxUnread) fallBehind();
      },
    };
    const begin = async (): Promise<void> => {
      let count = 0;
      for (const told of first) {
        if (!this.#members.has(member)) return;
        write(told);
        if (++count % AT_ONCE === 0) await nextTurn();
        if (listener.buffered() > PIECE) await listener.drained();
      }
      for (const told of waiting ?? []) write(told);
      waiting = undefined;
    };
    this.#members.add(member);
    if (this.#ended) end('going_away');
    else begin().catch(() => end('interrupted'));
    return { stop: () => void leave() };
  }

  tell(item: Item): void {
    for (const member of this.#members) member.tell(item);
  }

  /** Disconnects those who may no longer listen (I-4). */
  dismiss(): void {
    for (const member of this.#members) if (!member.mayStay()) member.end('credential_revoked');
  }

  /** Ends all subscriptions, including later ones. */
  end(): void {
    this.#ended = true;
    for (const member of this.#members) member.end('going_away');
  }
}
