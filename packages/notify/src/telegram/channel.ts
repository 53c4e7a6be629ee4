import { isJsonObject, type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import { mapOf, type Secret, secret, section, text, webAddress, withDefault } from '@proffer/gateway/fields';
import type { Channel } from '../channels/channel.js';
import type { ChannelType } from '../channels/channel-type.js';
import { readSecret } from '../channels/secret.js';
import type { Notification } from '../content/notification.js';
import { type Bot, callBot } from './api.js';
import { pollPresses } from './presses.js';

export interface TelegramSettings extends Bot {
  /** The id of a chat with the bot. */
  readonly to: string;
  /** Whether somebody can decide here, so that there are buttons. */
  readonly hasButtons: boolean;
}

/** The longest text of a message. */
const MAX_TEXT = 4_096;

/** Sends to a chat with a bot, with buttons that decide, and changes the message once it is decided. */
export function telegram({ token, api, to, hasButtons }: TelegramSettings): Channel {
  const bot = { token, api };
  return {
    async check(signal) {
      const answer = await callBot(bot, 'getChat', { params: { chat_id: to }, signal, now: Date.now() });
      return answer.ok ? undefined : answer.why;
    },
    // A chat can have more members, and its buttons know who presses them.
    isPrivate: false,
    hasButtons,
    reportsOutcomes: true,
    async deliver(notification, signal) {
      const { kind, items, sentAt } = notification;
      const place = kind === 'ended' ? placeOf(items[0]?.receipt) : undefined;
      const at = { signal, now: sentAt };
      const message = messageOf(notification);
      if (place !== undefined) {
        const edited = await callBot(bot, 'editMessageText', { params: { ...place, ...message }, ...at });
        const isSame = !edited.ok && edited.why.includes('message is not modified');
        return edited.ok || isSame ? { ok: true } : edited;
      }
      const params = { chat_id: to, disable_notification: kind === 'ended', ...message };
      const sent = await callBot(bot, 'sendMessage', { params, ...at });
      if (!sent.ok) return sent;
      const { message_id, chat } = objectOf(sent.result);
      const { id } = objectOf(chat);
      return typeof message_id === 'number' && typeof id === 'number'
        ? { ok: true, receipt: { chat_id: id, message_id } }
        : { ok: true };
    },
  };
}

/** Plain text: what an agent wrote is not read as markup. The link is text too: Telegram refuses some addresses in buttons. */
function messageOf({ kind, items, title, text: body, link, buttonKey, seen }: Notification): JsonObject {
  const whole = `${title}\n\n${body}\n\n${link}`;
  const isCut = whole.length > MAX_TEXT;
  const rest = MAX_TEXT - title.length - link.length - 5;
  const shown = isCut ? `${title}\n\n${body.slice(0, Math.max(0, rest))}…\n\n${link}` : whole;
  const [only] = items.length === 1 ? items : [];
  const isAsking = kind !== 'ended' && buttonKey !== undefined && only !== undefined;
  const approve =
    isAsking && seen !== undefined && only.summary.isWhole && !isCut
      ? [{ text: 'Approve', callback_data: `a:${buttonKey}` }]
      : [];
  const buttons = isAsking ? [...approve, { text: 'Reject', callback_data: `r:${buttonKey}` }] : [];
  return {
    text: shown,
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: buttons.length === 0 ? [] : [buttons] },
  };
}

function placeOf(receipt: JsonValue | undefined): JsonObject | undefined {
  if (receipt === undefined || !isJsonObject(receipt)) return undefined;
  const { chat_id, message_id } = receipt;
  return typeof chat_id === 'number' && typeof message_id === 'number' ? { chat_id, message_id } : undefined;
}

interface TelegramKeys {
  readonly token: Secret;
  /** Participants by the id of a user in Telegram. */
  readonly users: ReadonlyMap<string, string>;
  readonly api: string;
}

/** `type: telegram`. If there are users, the gateway asks Telegram who pressed which button; nothing has to reach it. */
export const telegramChannel: ChannelType<TelegramKeys> = {
  fields: section<TelegramKeys>({
    token: secret('the token of a bot'),
    users: withDefault(
      mapOf((tree, path, report) => text('the name of a participant').read(tree, path, report), {
        what: 'ids of users in Telegram',
        check: (id) =>
          /^\d{1,19}$/.test(id) ? undefined : 'Expected the number of a user, such as 123456789.',
      }),
      new Map(),
    ),
    api: withDefault(webAddress, 'https://api.telegram.org'),
  }),
  routeNeeds: { to: 'the id of a chat, such as 123456789' },
  open: ({ token, users, api }, { to = '' }) =>
    telegram({ token: readSecret(token), api, to, hasButtons: users.size > 0 }),
  poll({ token, users, api }, context) {
    if (users.size === 0) return undefined;
    return pollPresses({ token: readSecret(token), api }, { users, ...context });
  },
};
