import { randomUUID } from 'node:crypto';
import type { HidingOptions } from '@proffer/core/secrets';
import type { Journal } from '@proffer/journal';
import type { FoundButton } from '../channels/channel.js';
import type { RenderOptions } from '../content/notification.js';
import { hashButton, hashKey, isOf } from '../links/key.js';
import type { DecisionLink, OutboxMessage } from '../outbox/outbox.js';
import { outboxStream } from '../outbox/records.js';
import { followSpace } from './follow-space.js';
import { OutboxStore } from './outbox-store.js';
import type { ChannelRoute } from './route.js';
import { type DecideAt, type LookUp, OutboxSender, type SenderOptions } from './sender.js';

export interface NotifierOptions {
  readonly journal: Journal;
  readonly routes: readonly ChannelRoute[];
  /** Paths in the arguments that no notification shows. */
  readonly hiding: HidingOptions;
  readonly linkTo: RenderOptions['linkTo'];
  /** The address of decision links. Default: no such links. */
  readonly decideAt?: DecideAt | undefined;
  readonly lookUp: LookUp;
  readonly isRemoved?: SenderOptions['isRemoved'];
  readonly clock: () => number;
  readonly onAttempt: SenderOptions['onAttempt'];
  readonly onFault: (error: unknown) => void;
}

/** One route with its outbox. */
export interface RouteSubscriber {
  readonly route: ChannelRoute;
  readonly store: OutboxStore;
  readonly sender: OutboxSender;
}

/** What could not be delivered, and to whom. */
export type Undelivered = {
  readonly space: string;
  readonly participant: string;
  readonly channel: string;
  readonly message: OutboxMessage;
  readonly why: string;
  /** When it was parked; absent while it is being retried. Milliseconds since 1970. */
  readonly parkedAt?: number;
};

/** A link that was sent. */
export interface FoundLink {
  readonly space: string;
  readonly participant: string;
  readonly link: DecisionLink;
  /** Marks it as used; that survives a restart. */
  readonly use: (decision: 'approve' | 'reject') => Promise<void>;
}

export interface Notifier {
  /** Adds a route. */
  add(routes: readonly ChannelRoute[]): Promise<void>;
  /** Removes the routes of a channel, by name. */
  drop(channelName: string): Promise<void>;
  /** Messages that failed at least once: those being retried first, then those given up, newest first. */
  undelivered(): Promise<readonly Undelivered[]>;
  /** The link of a key; `undefined` if there is none. */
  findLink(key: string): Promise<FoundLink | undefined>;
  /** What the buttons with this key are about; `undefined` if there are none. */
  findButton(key: string): Promise<FoundButton | undefined>;
  /** Stops; unsent messages are sent after the next start. */
  close(): Promise<void>;
}

/** Follows the spaces that have routes, resuming where it left off, and sends. */
export async function startNotifier(options: NotifierOptions): Promise<Notifier> {
  const { journal, clock, linkTo, decideAt, lookUp, isRemoved, onAttempt, onFault } = options;
  const instance = randomUUID();
  const stopping = new AbortController();
  /** By space. Looked up for each record, so they may change. */
  const bySpace = new Map<string, RouteSubscriber[]>();
  const following = new Map<string, Promise<{ readonly ended: Promise<void> }>>();
  const everybody = (): readonly RouteSubscriber[] => [...bySpace.values()].flat();

  function subscribe(route: ChannelRoute): RouteSubscriber {
    const { space, participant, channelName, settings } = route;
    const stream = outboxStream(space, participant, channelName);
    const store = new OutboxStore({ journal, stream, settings, clock });
    const sender = new OutboxSender({
      route,
      store,
      clock,
      linkTo,
      decideAt,
      lookUp,
      isRemoved,
      instance,
      onAttempt,
      onFault,
    });
    return { route, store, sender };
  }

  async function add(routes: readonly ChannelRoute[]): Promise<void> {
    const fresh = routes.map(subscribe);
    await Promise.all(fresh.map(({ store }) => store.load()));
    for (const one of fresh) {
      const { space } = one.route;
      const others = bySpace.get(space) ?? [];
      others.push(one);
      bySpace.set(space, others);
    }
    for (const [space, subscribers] of bySpace) {
      if (following.has(space)) continue;
      following.set(space, followSpace(space, subscribers, { ...options, signal: stopping.signal }));
    }
    await Promise.all(following.values());
    for (const { sender } of fresh) sender.wake();
  }

  async function find(key: string, hash: string) {
    const found = everybody().find(({ store }) => isOf(key, store.stream));
    if (found === undefined) return undefined;
    // Another gateway may have sent it, or accepted its use; a moment ago, if it is not known here yet.
    for (const isCertain of [false, true]) {
      await found.store.refresh({ isCertain });
      const link = found.store.state.links.find((each) => each.hash === hash);
      if (link !== undefined) return { ...found, link };
    }
    return undefined;
  }

  await add(options.routes).catch((error: unknown) => {
    stopping.abort();
    throw error;
  });
  return {
    add,
    async drop(channelName) {
      const gone = everybody().filter(({ route }) => route.channelName === channelName);
      for (const subscribers of bySpace.values())
        for (const one of gone)
          if (subscribers.includes(one)) subscribers.splice(subscribers.indexOf(one), 1);
      await Promise.all(gone.map(({ sender }) => sender.stop()));
    },
    async undelivered() {
      // Another gateway may have tried.
      await Promise.all(everybody().map(({ store }) => store.refresh()));
      const failed = everybody().flatMap(failedIn);
      return failed.sort((one, other) => (other.parkedAt ?? FAR) - (one.parkedAt ?? FAR));
    },
    async findLink(key) {
      const found = await find(key, hashKey(key));
      if (found === undefined) return undefined;
      const { store, route, link } = found;
      const { space, participant } = route;
      const use = async (decision: 'approve' | 'reject'): Promise<void> =>
        void (await store.tell({ type: 'use_link', hash: link.hash, decision }));
      return { space, participant, link, use };
    },
    async findButton(key) {
      const found = await find(key, hashButton(key));
      if (found === undefined) return undefined;
      const { store, route, link } = found;
      // Nothing is approved unseen; one that has ended is refused for that.
      const isWhole = store.state.threads.get(link.proposal)?.summary.isWhole !== false;
      return { space: route.space, link, isWhole };
    },
    async close() {
      stopping.abort();
      const followed = await Promise.all(following.values());
      await Promise.all(followed.map(({ ended }) => ended));
      await Promise.all(everybody().map(({ sender }) => sender.stop()));
    },
  };
}

/** Later than everything. */
const FAR = Number.MAX_SAFE_INTEGER;

function failedIn({ route, store }: RouteSubscriber): readonly Undelivered[] {
  const { space, participant, channelName: channel } = route;
  const { messages, parked } = store.state;
  const failed = (message: OutboxMessage, why: string): Undelivered => ({
    space,
    participant,
    channel,
    message,
    why,
  });
  return [
    ...[...messages.values()].flatMap((message) =>
      message.why === undefined ? [] : [failed(message, message.why)],
    ),
    ...parked.map(({ message, why, at }) => Object.assign(failed(message, why), { parkedAt: at })),
  ];
}
