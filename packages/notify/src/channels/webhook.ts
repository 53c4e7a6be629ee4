import { defined } from '@proffer/core/json';
import { listOf, type Secret, secret, section, webAddress } from '@proffer/gateway/fields';
import { Webhook } from 'standardwebhooks';
import type { Notification } from '../content/notification.js';
import { type Channel, type ChannelType, readSecret } from './channel.js';
import { canConnect, post } from './http-post.js';

export interface WebhookSettings {
  readonly url: string;
  /**
   * `whsec_` and base64. During rotation both secrets: each message is signed with all of them, and a
   * receiver needs to know only one.
   */
  readonly secrets: readonly string[];
}

/** Posts JSON, signed as Standard Webhooks specifies. */
export function webhook({ url, secrets }: WebhookSettings): Channel {
  const signers = secrets.map((secret) => new Webhook(secret));
  return {
    check: (signal) => canConnect(url, signal),
    isPrivate: true,
    reportsOutcomes: true,
    async deliver(notification, signal) {
      const { id, sentAt } = notification;
      const body = JSON.stringify(payloadOf(notification));
      // The time of this attempt: receivers refuse old signatures.
      const time = new Date();
      const posted = await post({
        url,
        body,
        signal,
        now: sentAt,
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
          'webhook-signature': signers.map((signer) => signer.sign(id, time, body)).join(' '),
        },
      });
      return posted.ok ? { ok: true } : posted;
    },
  };
}

function payloadOf({ kind, recipient, items, ending, title, sentAt }: Notification) {
  return {
    type: `proposal.${kind}`,
    timestamp: new Date(sentAt).toISOString(),
    data: {
      recipient,
      title,
      proposals: items.map(({ summary, link }) => ({ ...summary, link })),
      ...defined({ ending }),
    },
  };
}

interface WebhookKeys {
  readonly url: string;
  readonly secrets: readonly Secret[];
}

/** `type: webhook`. */
export const webhookChannel: ChannelType<WebhookKeys> = {
  fields: section<WebhookKeys>({
    url: webAddress,
    secrets: listOf(secret('whsec_ and base64').read, 'secrets'),
  }),
  open: ({ url, secrets }) => webhook({ url, secrets: secrets.map(readSecret) }),
};
