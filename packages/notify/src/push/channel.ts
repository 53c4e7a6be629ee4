import { sha256 } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { Channel } from '../channels/channel.js';
import { canConnect, post } from '../channels/http-post.js';
import type { Notification } from '../content/notification.js';
import type { VapidKeys } from './open-push.js';
import type { BrowserSubscription } from './subscriptions.js';

export interface PushSettings {
  readonly subscription: BrowserSubscription;
  readonly keys: VapidKeys;
  /** `mailto:…` or an https address: the push service's contact in case of problems. */
  readonly contact: string;
  /** The service reports that the device is gone. */
  readonly onGone: () => void;
  /** Whether its owner may not review any more: then nothing is sent. */
  readonly isRevoked: () => boolean;
}

/** How long a push service keeps a message for an offline device, in seconds. */
const KEPT = 3_600;
/** Push services accept 4096 encrypted bytes; anything longer is shown by the page. */
const MAX_TEXT = 1_200;

/**
 * Pushes to one device. The message is encrypted for that browser: the service in between cannot read
 * it.
 */
export function push({ subscription, keys, contact, onGone, isRevoked }: PushSettings): Channel {
  return {
    check: (signal) => canConnect(subscription.endpoint, signal),
    isPrivate: true,
    reportsOutcomes: true,
    async deliver(notification, signal) {
      if (isRevoked()) {
        onGone();
        return { ok: false, why: 'The device was revoked.', final: true };
      }
      // Loaded on demand, because it loads slowly.
      const { default: webPush } = await import('web-push');
      const { endpoint, headers, body } = webPush.generateRequestDetails(
        subscription,
        JSON.stringify(payloadOf(notification)),
        {
          vapidDetails: { subject: contact, ...keys },
          TTL: KEPT,
          urgency: notification.kind === 'ended' ? 'low' : 'high',
          // A later message about the same proposal replaces an undelivered one.
          topic: topicOf(notification),
        },
      );
      const posted = await post({
        url: endpoint,
        // fetch sets the length.
        headers: without(headers, 'Content-Length'),
        body: new Uint8Array(body ?? []),
        signal,
        now: notification.sentAt,
      });
      if (posted.ok) return { ok: true };
      if (posted.status === 404 || posted.status === 410) {
        onGone();
        return { ok: false, why: 'The device no longer accepts notifications.', final: true };
      }
      return posted;
    },
  };
}

/** What the service worker shows, and what a tap opens. */
function payloadOf({ kind, items, title, text, link }: Notification): JsonObject {
  const [only] = items.length === 1 ? items : [];
  const body = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
  const { pathname, hash } = new URL(link);
  return { kind, title, body, tag: only?.summary.proposal ?? 'waiting', url: `${pathname}${hash}` };
}

/** At most 32 characters. */
function topicOf({ id, items }: Notification): string {
  const about = items.length === 1 ? items[0]?.summary.proposal : undefined;
  return sha256(about ?? id).slice(0, 32);
}

function without(headers: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([key, value]) => (key === name ? [] : [[key, String(value)]])),
  );
}
