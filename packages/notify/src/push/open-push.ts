import { createECDH, createHash } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Capability, parseCapability } from '@proffer/core/capability';
import type { CompanionContext } from '@proffer/gateway';
import { DEFAULT_PUSH, type GatewayConfig, type PushConfig } from '@proffer/gateway/config';
import type { CallerIdentity } from '@proffer/gateway/door';
import { folderOf, sharedBackendOf } from '@proffer/journal';
import { type ChannelRoute, wantsFor } from '../follow/route.js';
import { push } from './channel.js';
import {
  type BrowserSubscription,
  type PushSubscription,
  type Subscriptions,
  subscriptionId,
} from './subscriptions.js';

/** Web Push, if available. */
export interface Push {
  readonly settings: PushConfig;
  readonly keys: VapidKeys;
  readonly subscriptions: Subscriptions;
}

const DAY = 86_400_000;
/**
 * A device is forgotten if no one signed in on it for this long, unless it belongs to a configured
 * token.
 */
const UNSEEN = 30 * DAY;

/** Opens it; `undefined` if the operator disabled it, or if the keys cannot be stored, which is logged. */
export function openPush(
  { subscriptions, log }: Pick<CompanionContext, 'log'> & Pick<Push, 'subscriptions'>,
  config: GatewayConfig,
): Push | undefined {
  const settings = config.notify?.push ?? DEFAULT_PUSH;
  if (settings.services.length === 0) return undefined;
  const file = settings.keys ?? keysBeside(config);
  if (file === undefined && sharedBackendOf(config.journal) !== undefined) {
    log.warn('nothing is pushed to browsers: notify.push.keys names no file that all gateways have');
    return undefined;
  }
  try {
    const keys = file === undefined ? makeKeys() : keysIn(file);
    return { settings, keys, subscriptions };
  } catch (error) {
    log.error({ err: error, file }, 'nothing is pushed to browsers: the keys cannot be stored');
    return undefined;
  }
}

function keysBeside({ journal }: GatewayConfig): string | undefined {
  const folder = folderOf(journal);
  return folder === undefined ? undefined : join(folder, 'push-keys.json');
}

/** The channel of a device, by the name used in its routes. */
export function deviceChannel(id: string): string {
  return `push:${id}`;
}

/** A stored subscription: who made it, and what it ends with. */
export function subscriptionOf(
  browser: BrowserSubscription,
  {
    identity,
    token,
    agent,
  }: { readonly identity: CallerIdentity; readonly token: string; readonly agent: string },
  { config, now }: { readonly config: GatewayConfig; readonly now: number },
): PushSubscription {
  const { name: participant, spaces } = identity;
  const hash = createHash('sha256').update(token).digest('hex');
  const isOurs = config.tokens.some((known) => known.hash === hash);
  const rights = Object.fromEntries(Array.from(spaces, ([space, { sources }]) => [space, sources]));
  return {
    id: subscriptionId(browser.endpoint),
    participant,
    ...browser,
    ...(isOurs ? { token: hash } : {}),
    ...(config.participants.has(participant) ? {} : { rights }),
    agent,
    seenAt: now,
  };
}

/** Whether a device may still be notified: its token and its owner are valid. */
export function isCurrent(
  { participant, token, rights, seenAt }: PushSubscription,
  config: GatewayConfig,
  now: number,
): boolean {
  if (rights === undefined && !config.participants.has(participant)) return false;
  if (token === undefined) return now - seenAt < UNSEEN;
  return config.tokens.some((known) => known.hash === token && known.participant === participant);
}

export interface DeviceRouteOptions extends Omit<Push, 'subscriptions'> {
  readonly config: GatewayConfig;
  /** The push service reports that the device is gone. */
  readonly onGone: (id: string) => void;
  /** Whether its owner may not review any more. */
  readonly isRevoked: (participant: string) => boolean;
}

/** The routes of a device: what its owner may decide, in each of their spaces. */
export function deviceRoutes(
  subscription: PushSubscription,
  { config, keys, settings, onGone, isRevoked }: DeviceRouteOptions,
): readonly ChannelRoute[] {
  const { id, participant } = subscription;
  const { url } = config.notify ?? {};
  const contact = settings.contact ?? (url?.startsWith('https:') === true ? url : 'mailto:proffer@localhost');
  const channel = push({
    subscription,
    keys,
    contact,
    onGone: () => onGone(id),
    isRevoked: () => isRevoked(participant),
  });
  const roles = config.participants.get(participant)?.roles ?? [];
  return [...rightsOf(subscription, config)].map(([space, capabilities]) => ({
    space,
    participant,
    channelName: deviceChannel(id),
    channel,
    settings: { digest: settings.digest, quietUntil: () => undefined, updates: true },
    wants: wantsFor({ participant, roles, capabilities }, 'decidable'),
  }));
}

function rightsOf(
  { participant, rights = {} }: PushSubscription,
  { participants, spaces }: GatewayConfig,
): ReadonlyMap<string, readonly Capability[]> {
  const listed = participants.get(participant);
  if (listed !== undefined) return listed.spaces;
  const known = Object.entries(rights).filter(([space]) => spaces.has(space));
  return new Map(
    known.map(([space, sources]) => [
      space,
      sources.flatMap((source) => {
        const parsed = parseCapability(source);
        return parsed.ok ? [parsed.value] : [];
      }),
    ]),
  );
}

/** The key pair that identifies this gateway to push services (VAPID), as base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Keys that live as long as the process. */
function makeKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  return {
    publicKey: pair.generateKeys('base64url'),
    // A small number has fewer bytes, but every reader expects 32.
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  };
}

/**
 * The keys in a file that only its owner can read; created the first time. Browsers bind a
 * subscription to them, so they stay the same. If two gateways create them at once, both use those of
 * the first. Throws an error for the operator if the file cannot be read or written, or has other
 * content.
 */
function keysIn(file: string): VapidKeys {
  try {
    return read(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(makeKeys())}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read(file);
}

function read(file: string): VapidKeys {
  const text = readFileSync(file, 'utf8');
  chmodSync(file, 0o600);
  const { publicKey, privateKey } = JSON.parse(text) as Partial<VapidKeys>;
  if (typeof publicKey !== 'string' || typeof privateKey !== 'string')
    throw new Error(
      `${file} does not hold the keys for Web Push. Remove it, and devices will subscribe again.`,
    );
  return { publicKey, privateKey };
}
