import { ECDH } from 'node:crypto';
import { sha256 } from '@proffer/core';
import { isJsonObject, type JsonValue } from '@proffer/core/json';
import type { RecordContent } from '@proffer/core/records';
import { type Journal, JournalError, type StoredRecord } from '@proffer/journal';
import { NOTIFY_SPACE } from '../outbox/records.js';

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

/** A device with Web Push. */
export type PushSubscription = {
  /** Derived from the endpoint: the same device again is the same subscription. */
  readonly id: string;
  readonly participant: string;
  readonly endpoint: string;
  /** The browser's keys, to encrypt for it. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /**
   * The SHA-256 of the token it was made with, as hex, if that token is in the configuration: the
   * subscription ends with it.
   */
  readonly token?: string;
  /** The rights of someone who is not configured: spaces with capabilities, as of the last sign-in. */
  readonly rights?: Readonly<Record<string, readonly JsonValue[]>>;
  /** The browser's self-description. */
  readonly agent: string;
  /** When it was last renewed by someone signed in there; milliseconds since 1970. */
  readonly seenAt: number;
};

/** What a browser provides: `PushSubscription.toJSON()`. */
export type BrowserSubscription = Pick<PushSubscription, 'endpoint' | 'keys'>;

const MAX_TEXT = 1_000;

/**
 * Reads a browser's subscription; `undefined` if it is malformed. Only known services are used: the gateway posts to
 * the endpoint, and a subscriber could name any address.
 */
export function readSubscription(
  value: JsonValue | undefined,
  services: readonly string[],
): BrowserSubscription | undefined {
  if (value === undefined || !isJsonObject(value) || !isJsonObject(value['keys'] ?? null)) return undefined;
  const { endpoint } = value;
  const { p256dh, auth } = value['keys'] as { readonly [key: string]: JsonValue };
  if (!isText(endpoint) || !isPoint(p256dh) || !isKey(auth, 16)) return undefined;
  return isServed(endpoint, services) ? { endpoint, keys: { p256dh, auth } } : undefined;
}

export function subscriptionId(endpoint: string): string {
  return sha256(endpoint).slice(0, 16);
}

function isServed(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { origin, protocol, host } = new URL(endpoint);
  return services.some((service) => {
    const [, scheme, domain] = /^(https:)\/\/\*(\..+)$/.exec(service) ?? [];
    return scheme === undefined ? origin === service : protocol === scheme && host.endsWith(domain ?? '');
  });
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

function isKey(value: JsonValue | undefined, bytes: number): value is string {
  return isText(value) && /^[\w-]+=*$/.test(value) && Buffer.from(value, 'base64url').length === bytes;
}

/** A point on the curve that browsers use; nothing can be encrypted for any other key. */
function isPoint(value: JsonValue | undefined): value is string {
  if (!isKey(value, 65)) return false;
  try {
    ECDH.convertKey(value, 'prime256v1', 'base64url', 'hex', 'compressed');
    return true;
  } catch {
    return false;
  }
}
