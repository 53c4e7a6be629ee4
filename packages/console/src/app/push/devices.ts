import { isJsonArray, isJsonObject, type JsonObject, textOf } from '@proffer/core/json';
import { AskError, ask } from '../session/http.js';
import { worker } from './support.js';

/** A browser in which someone is notified. */
export interface NotifiedBrowser {
  readonly id: string;
  readonly agent: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

/** What the gateway offers: nothing if it does not push. */
export interface PushOffer {
  readonly publicKey: string;
  readonly devices: readonly NotifiedBrowser[];
  /** The id of the new subscription. */
  readonly here?: string;
}

const HOOK = '/hooks/push';

/** The user's devices known to the gateway; `undefined` if it does not push. */
export async function readOffer(token: string, posted: JsonObject = {}): Promise<PushOffer | undefined> {
  try {
    const { publicKey, devices, here } = await ask(HOOK, token, posted);
    if (typeof publicKey !== 'string') return undefined;
    const known = isJsonArray(devices) ? devices.filter(isJsonObject).map(readDevice) : [];
    return { publicKey, devices: known, ...(typeof here === 'string' ? { here } : {}) };
  } catch (error) {
    if (error instanceof AskError && error.code === 'unknown_route') return undefined;
    throw error;
  }
}

/** Subscribes this browser to notifications. Rejects with an AskError, or with the browser's error. */
export async function subscribe(token: string, { publicKey }: PushOffer): Promise<PushOffer | undefined> {
  const { pushManager } = await worker();
  const before = await pushManager.getSubscription();
  const isOurs = before !== null && keyOf(before) === publicKey;
  // A gateway with other keys cannot push to it.
  if (before !== null && !isOurs) await before.unsubscribe();
  const subscription =
    before !== null && isOurs
      ? before
      : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  return await readOffer(token, { subscribe: subscription.toJSON() as JsonObject });
}

/** Removes one of your devices. */
export async function forget(token: string, id: string): Promise<PushOffer | undefined> {
  return await readOffer(token, { remove: id });
}

/**
 * Renews the subscription of this browser, if it has one: it lasts as long as the user signs in. Resolves
 * with its id.
 */
export async function renew(token: string): Promise<string | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration('/console/');
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return undefined;
  return (await readOffer(token, { subscribe: subscription.toJSON() as JsonObject }))?.here;
}

/** Ends the subscription of this browser: after signing out there are no more notifications. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/console/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function readDevice({ id, agent, seenAt }: JsonObject): NotifiedBrowser {
  return {
    id: textOf(id),
    agent: textOf(agent),
    seenAt: typeof seenAt === 'number' ? seenAt : 0,
  };
}
