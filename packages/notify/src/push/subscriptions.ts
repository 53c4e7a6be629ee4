import type { RecordContent } from '@proffer/core/records';
import type { Journal } from '@proffer/journal';
import { NOTIFY_SPACE } from '../outbox/records.js';
import type { PushSubscription } from './subscription.js';

/** The devices of everybody, as the journal has them. Several gateways may have the same. */
export interface Subscriptions {
  list(): readonly PushSubscription[];
  /** Takes one in, or renews it. */
  put(subscription: PushSubscription): Promise<void>;
  /** Whether there was such a one. */
  remove(id: string): Promise<boolean>;
}

const STREAM = `${NOTIFY_SPACE}/push/subscriptions`;

/** So many of one person; of more, the one that was not seen for the longest goes. */
const MOST_PER_PERSON = 20;

type Change =
  | { readonly type: 'push_subscribed'; readonly subscription: PushSubscription }
  | { readonly type: 'push_removed'; readonly id: string };

export async function openSubscriptions({
  journal,
  clock,
}: {
  readonly journal: Journal;
  readonly clock: () => number;
}): Promise<Subscriptions> {
  const known = new Map<string, PushSubscription>();
  let version = 0;
  async function load(): Promise<void> {
    for await (const record of journal.read(STREAM, version + 1)) {
      apply(known, changeIn(record));
      version = record.version;
    }
  }
  async function write(change: Change): Promise<void> {
    for (;;) {
      const outcome = await journal.append(STREAM, version, [recordOf(change, clock())]);
      if (outcome.status === 'unavailable') throw new Error(outcome.refusal.message);
      if (outcome.status === 'appended') {
        apply(known, change);
        version += 1;
        return;
      }
      // Another gateway was first.
      await load();
    }
  }
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };
  if ((await journal.head(STREAM)).version > 0) await load();
  return {
    list: () => [...known.values()],
    put: (subscription) =>
      inTurn(async () => {
        await write({ type: 'push_subscribed', subscription });
        for (const one of tooMany(known, subscription.participant))
          await write({ type: 'push_removed', id: one.id });
      }),
    remove: (id) =>
      inTurn(async () => {
        if (!known.has(id)) return false;
        await write({ type: 'push_removed', id });
        return true;
      }),
  };
}

function tooMany(known: ReadonlyMap<string, PushSubscription>, who: string): readonly PushSubscription[] {
  return [...known.values()]
    .filter(({ participant }) => participant === who)
    .sort((one, other) => other.seenAt - one.seenAt)
    .slice(MOST_PER_PERSON);
}

function apply(known: Map<string, PushSubscription>, change: Change): void {
  if (change.type === 'push_removed') known.delete(change.id);
  else known.set(change.subscription.id, change.subscription);
}

function recordOf({ type, ...facts }: Change, now: number): RecordContent {
  return { type, time: now, principal: 'system:notifier', envelope: {}, facts };
}

function changeIn({ type, facts }: RecordContent): Change {
  return { type, ...facts } as Change;
}
