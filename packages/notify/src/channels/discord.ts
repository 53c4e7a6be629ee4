import { isJsonObject, type JsonObject, type JsonValue, objectOf, parseJson } from '@proffer/core/json';
import { type Secret, secret, section } from '@proffer/gateway/fields';
import type { Notification } from '../content/notification.js';
import { type Channel, type ChannelType, readSecret } from './channel.js';
import { canConnect, post } from './http-post.js';

export interface DiscordSettings {
  /** The address of a webhook of a channel; whoever has it can post there. */
  readonly url: string;
}

/** The longest title and description of an embed in Discord, less room for escapes. */
const MAX_TITLE = 120;
const MAX_TEXT = 2_000;

/**
 * Posts to a channel in Discord through its webhook, and changes the message once it is decided. A webhook gets no
 * answers, so there are no buttons that decide, only a link.
 */
export function discord({ url }: DiscordSettings): Channel {
  return {
    check: (signal) => canConnect(url, signal),
    // Others read along.
    isPrivate: false,
    reportsOutcomes: true,
    async deliver(notification, signal) {
      const { kind, items, sentAt } = notification;
      const earlier = kind === 'ended' ? messageIn(items[0]?.receipt) : undefined;
      const place = new URL(url);
      if (earlier !== undefined) place.pathname += `/messages/${encodeURIComponent(earlier)}`;
      place.searchParams.set('wait', 'true');
      place.searchParams.set('with_components', 'true');
      const posted = await post({
        url: place.href,
        method: earlier === undefined ? 'POST' : 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(messageOf(notification)),
        signal,
        now: sentAt,
      });
      if (!posted.ok) return posted;
      const parsed = parseJson(posted.text);
      const { id } = parsed.ok ? objectOf(parsed.value) : {};
      return typeof id === 'string' ? { ok: true, receipt: { id } } : { ok: true };
    },
  };
}

function messageOf({ title, text, link }: Notification): JsonObject {
  const embed = { title: plain(cut(title, MAX_TITLE)), description: plain(cut(text, MAX_TEXT)), url: link };
  return {
    embeds: [embed],
    // Nothing that an agent wrote calls anyone.
    allowed_mentions: { parse: [] },
    components: [{ type: 1, components: [{ type: 2, style: 5, label: 'Open', url: link }] }],
  };
}

/** Shows text as it is: Discord would read it as Markdown. */
function plain(text: string): string {
  return text.replace(/[\\`*_~|<>#[\]():@-]/g, '\\$&');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function messageIn(receipt: JsonValue | undefined): string | undefined {
  const id = receipt !== undefined && isJsonObject(receipt) ? receipt['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** `type: discord`. */
export const discordChannel: ChannelType<{ readonly url: Secret }> = {
  fields: section<{ readonly url: Secret }>({ url: secret('the URL of a webhook in Discord') }),
  open: ({ url }) => discord({ url: readSecret(url) }),
};
