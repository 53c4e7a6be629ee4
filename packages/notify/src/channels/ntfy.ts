import { createHash } from 'node:crypto';
import type { JsonObject } from '@proffer/core/json';
import { optional, type Secret, secret, section, webAddress, withDefault } from '@proffer/gateway/fields';
import type { Notification } from '../content/notification.js';
import { type Channel, type ChannelType, readSecret } from './channel.js';
import { canConnect, post } from './http-post.js';

export interface NtfySettings {
  /** Such as https://ntfy.example. */
  readonly server: string;
  readonly topic: string;
  readonly token?: string;
}

/**
 * Publishes to an ntfy topic. The first action opens the decision page. If the message may contain a
 * decision link, there are also buttons that decide: Approve only if the message shows everything
 * that would run, somebody could run it, and one approval is enough.
 */
export function ntfy({ server, topic, token }: NtfySettings): Channel {
  return {
    check: (signal) => canConnect(server, signal),
    isPrivate: true,
    reportsOutcomes: true,
    async deliver(notification, signal) {
      const { id, kind, title, text, link, sentAt } = notification;
      const posted = await post({
        url: server,
        signal,
        now: sentAt,
        headers: {
          'content-type': 'application/json',
          'x-proffer-id': id,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({
          topic,
          // Delivered again after a lost answer, it replaces the first one (ntfy 2.16; earlier servers ignore it).
          sequence_id: createHash('sha256').update(id).digest('hex').slice(0, 32),
          title,
          message: text,
          click: link,
          tags: [kind === 'ended' ? 'white_check_mark' : 'raised_hand'],
          priority: PRIORITY[kind],
          ...(kind === 'ended' ? {} : { actions: actionsOf(notification) }),
        }),
      });
      return posted.ok ? { ok: true } : posted;
    },
  };
}

/** ntfy shows at most three. */
function actionsOf({ items, link, decision, seen }: Notification): readonly JsonObject[] {
  const view = { action: 'view', label: 'Review', url: link, clear: true };
  const [only] = items;
  if (decision === undefined || only === undefined) return [view];
  const { key, url } = decision;
  const { isWhole, digest, approvals = 1 } = only.summary;
  const press = (label: string, body: JsonObject): JsonObject => ({
    action: 'http',
    label,
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key, ...body }),
    clear: true,
  });
  // A link cannot approve if more than one approval is needed: it would be refused.
  const mayApprove = isWhole && approvals === 1 && seen !== undefined;
  const approve = mayApprove ? [press('Approve', { decision: 'approve', digest })] : [];
  return [view, ...approve, press('Reject', { decision: 'reject', reason: 'disagree' })];
}

const PRIORITY = { asked: 3, reminder: 4, ended: 2 } as const;

interface NtfyKeys {
  readonly server: string;
  readonly token: Secret | undefined;
}

/** `type: ntfy`. */
export const ntfyChannel: ChannelType<NtfyKeys> = {
  fields: section<NtfyKeys>({
    server: withDefault(webAddress, 'https://ntfy.sh'),
    token: optional(secret('an access token')),
  }),
  routeNeeds: { to: 'a topic' },
  open: ({ server, token }, { to = '' }) =>
    ntfy({ server, topic: to, ...(token === undefined ? {} : { token: readSecret(token) }) }),
};
