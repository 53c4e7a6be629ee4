import type { RecordContent } from '@proffer/core/records';
import { type Journal, JournalError, type StoredRecord } from '@proffer/journal';
import { NOTIFY_SPACE } from '../outbox/records.js';
import type { PushSubscription } from './subscription.js';

/** All devices, stored in the journal. Several gateways may share them. */
export interface Subscriptions {
  list(): readonly PushSubscription[];
  /** Reads what other gateways wrote recently, as far as the journal can be read. */
  refresh(): Promise<void>;
  /** Calls back with each change that another gateway made; returns an unsubscribe function. */
  watch(listener: (change: SubscriptionChange) => void): () => void;
  /** Adds or renews one; the ids of those that had to make room for it. */
  put(subscription: PushSubscription): Promise<readonly string[]>;
  /** Whether it existed. */
  remove(id: string): Promise<boolean>;
  close(): void;
}

const STREAM = `${NOTIFY_SPACE}/push/subscriptions`;

/** The maximum number per person; beyond that, the least recently seen is removed. */
const MAX_PER_PERSON = 20;

/** What happened to a device. */
export type SubscriptionChange =
  | { readonly type: 'push_subscribed'; readonly subscription: PushSubscription }
  | { readonly type: 'push_removed'; readonly id: string };

export interface SubscriptionsOptions {
  readonly journal: Journal;
  readonly clock: () => number;
  readonly onFault: (error: unknown) => void;
}

export async function openSubscriptions(options: SubscriptionsOptions): Promise<Subscriptions> {
  const { journal, clock, onFault } = options;
  const closing = new AbortController();
  const listeners = new Set<(change: SubscriptionChange) => void>();
  const known = new Map<string, PushSubscription>();
  let version = 0;
  /** Applies what another gateway wrote; what was written here is already known. */
  function take(record: StoredRecord): void {
    if (record.version !== version + 1) return;
    const change = changeIn(record);
    apply(known, change);
    version = record.version;
    for (const tell of listeners) tell(change);
  }
  async function load(): Promise<void> {
    for await (const record of journal.read(STREAM, version + 1)) take(record);
  }
  /** Devices come and go at every gateway, and any gateway may be the one that notifies them. */
  async function follow(after: number): Promise<void> {
    for await (const record of journal.feed(NOTIFY_SPACE, after, { signal: closing.signal }))
      if (record.stream === STREAM) await inTurn(async () => take(record));
  }
  async function write(change: SubscriptionChange): Promise<void> {
    for (;;) {
      const outcome = await journal.append(STREAM, version, [recordOf(change, clock())]);
      if (outcome.status === 'unavailable') throw new JournalError(outcome.refusal);
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
  const seq = await journal.lastSeq(NOTIFY_SPACE);
  if ((await journal.head(STREAM)).version > 0) await load();
  // A journal with one owner has no other writers.
  if (journal.peers !== undefined) follow(seq).catch(onFault);
  return {
    list: () => [...known.values()],
    refresh: () => (journal.peers === undefined ? Promise.resolve() : inTurn(load).catch(onFault)),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => closing.abort(),
    put: (subscription) =>
      inTurn(async () => {
        await write({ type: 'push_subscribed', subscription });
        const removed = tooMany(known, subscription.participant).map(({ id }) => id);
        for (const id of removed) await write({ type: 'push_removed', id });
        return removed;
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
  return (
    [...known.values()]
      .filter(({ participant }) => participant === who)
      // Of those seen at the same time, the newest stays.
      .reverse()
      .sort((one, other) => other.seenAt - one.seenAt)
      .slice(MAX_PER_PERSON)
  );
}

function apply(known: Map<string, PushSubscription>, change: SubscriptionChange): void {
  if (change.type === 'push_removed') known.delete(change.id);
  else known.set(change.subscription.id, change.subscription);
}

function recordOf({ type, ...facts }: SubscriptionChange, now: number): RecordContent {
  return { type, time: now, principal: 'system:notifier', envelope: {}, facts };
}

function changeIn({ type, facts }: RecordContent): SubscriptionChange {
  return { type, ...facts } as SubscriptionChange;
}
