import { randomUUID } from 'node:crypto';
import type { Journal } from '@proffer/journal';
import type { RenderOptions } from '../content/notification.js';
import { hashKey, isOf } from '../links/key.js';
import type { DecisionLink, Parked } from '../outbox/outbox.js';
import { outboxStream } from '../outbox/records.js';
import { followSpace } from './follow-space.js';
import { OutboxStore } from './outbox-store.js';
import type { ChannelRoute } from './route.js';
import { type DecideAt, Sender, type SenderOptions } from './sender.js';

export interface NotifierOptions {
  readonly journal: Journal;
  readonly routes: readonly ChannelRoute[];
  /** Paths in the arguments that no notification shows. */
  readonly redacted: readonly string[];
  readonly linkTo: RenderOptions['linkTo'];
  /** Where links lead that decide. Default: there are none. */
  readonly decideAt?: DecideAt | undefined;
  readonly clock: () => number;
  readonly onAttempt: SenderOptions['onAttempt'];
  readonly onFault: (error: unknown) => void;
}

/** One route with its outbox. */
export interface Subscriber {
  readonly route: ChannelRoute;
  readonly store: OutboxStore;
  readonly sender: Sender;
}

/** What could not be delivered, and to whom. */
export interface Undelivered extends Parked {
  readonly space: string;
  readonly participant: string;
  readonly channel: string;
}

/** A link that somebody has. */
export interface FoundLink {
  readonly space: string;
  readonly participant: string;
  readonly link: DecisionLink;
  /** Says that it was used; from then on it is, also after a restart. */
  readonly use: (decision: 'approve' | 'reject') => Promise<void>;
}

export interface Notifier {
  /** Newest first. */
  undelivered(): readonly Undelivered[];
  /** The link that a key is of; nothing when there is none. */
  findLink(key: string): Promise<FoundLink | undefined>;
  /** Ends; what is not sent is sent after the next start. */
  close(): Promise<void>;
}

/** Follows the spaces that somebody wants to hear about, from where it was before, and sends. */
export async function startNotifier(options: NotifierOptions): Promise<Notifier> {
  const { journal, routes, clock, linkTo, decideAt, onAttempt, onFault } = options;
  const instance = randomUUID();
  const subscribers = routes.map((route): Subscriber => {
    const { space, participant, channelName, settings } = route;
    const stream = outboxStream(space, participant, channelName);
    const store = new OutboxStore({ journal, stream, settings, clock });
    return {
      route,
      store,
      sender: new Sender({ route, store, clock, linkTo, decideAt, instance, onAttempt, onFault }),
    };
  });
  await Promise.all(subscribers.map(({ store }) => store.load()));
  const stopping = new AbortController();
  const spaces = new Set(routes.map(({ space }) => space));
  const following = await Promise.all(
    [...spaces].map((space) =>
      followSpace(
        space,
        subscribers.filter(({ route }) => route.space === space),
        { ...options, signal: stopping.signal },
      ),
    ),
  );
  for (const { sender } of subscribers) sender.wake();
  return {
    undelivered: () =>
      subscribers
        .flatMap(({ route, store }) =>
          store.state.parked.map((parked) => ({
            ...parked,
            space: route.space,
            participant: route.participant,
            channel: route.channelName,
          })),
        )
        .sort((one, other) => other.at - one.at),
    async findLink(key) {
      const found = subscribers.find(({ store }) => isOf(key, store.stream));
      if (found === undefined) return undefined;
      const { store, route } = found;
      // Another gateway may have sent it, or let somebody use it.
      await store.refresh();
      const hash = hashKey(key);
      const link = store.state.links.find((each) => each.hash === hash);
      if (link === undefined) return undefined;
      const { space, participant } = route;
      const use = async (decision: 'approve' | 'reject'): Promise<void> =>
        void (await store.tell({ type: 'use_link', hash, decision }));
      return { space, participant, link, use };
    },
    async close() {
      stopping.abort();
      await Promise.all(following.map(({ ended }) => ended));
      await Promise.all(subscribers.map(({ sender }) => sender.stop()));
    },
  };
}
