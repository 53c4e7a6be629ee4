import { ECDH } from 'node:crypto';
import { sha256 } from '@proffer/core';
import { isJsonObject, type JsonValue } from '@proffer/core/json';

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
