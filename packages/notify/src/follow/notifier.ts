import { randomUUID } from 'node:crypto';
import type { Journal } from '@proffer/journal';
import type { RenderOptions } from '../content/notification.js';
import { type Parked } from '../outbox/outbox.js';
import { outboxStream } from '../outbox/records.js';
import { followSpace } from './follow-space.js';
import { OutboxStore } from './outbox-store.js';
import type { ChannelRoute } from './route.js';
import { Sender, type SenderOptions } from './sender.js';

export interface NotifierOptions {
  readonly journal: Journal;
  readonly routes: readonly ChannelRoute[];
  /** Paths in the arguments that no notification shows. */
  readonly redacted: readonly string[];
  readonly linkTo: RenderOptions['linkTo'];
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

export interface Notifier {
  /** Newest first. */
  undelivered(): readonly Undelivered[];
  /** Ends; what is not sent is sent after the next start. */
  close(): Promise<void>;
}

/** Follows the spaces that somebody wants to hear about, from where it was before, and sends. */
export async function startNotifier(options: NotifierOptions): Promise<Notifier> {
  const { journal, routes, clock, linkTo, onAttempt, onFault } = options;
  const instance = randomUUID();
  const subscribers = routes.map((route): Subscriber => {
    const { space, participant, channelName, settings } = route;
    const stream = outboxStream(space, participant, channelName);
    const store = new OutboxStore({ journal, stream, settings, clock });
    return {
      route,
      store,
      sender: new Sender({ route, store, clock, linkTo, instance, onAttempt, onFault }),
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
    async close() {
      stopping.abort();
      await Promise.all(following.map(({ ended }) => ended));
      await Promise.all(subscribers.map(({ sender }) => sender.stop()));
    },
  };
}
