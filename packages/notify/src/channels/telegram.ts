import { setTimeout as delay } from 'node:timers/promises';
import {
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  objectsIn,
  parseJson,
  textOf,
} from '@proffer/core/json';
import { mapOf, type Secret, secret, section, text, webAddress, withDefault } from '@proffer/gateway/fields';
import type { Notification } from '../content/notification.js';
import {
  type Channel,
  type ChannelType,
  type Delivery,
  type PollContext,
  type Polling,
  readSecret,
} from './channel.js';
import { post } from './http-post.js';

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
        check: (id) => (/^\d{1,19}$/.test(id) ? undefined : 'Expected a user id, such as 123456789.'),
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

interface PressesOptions extends PollContext {
  /** Participants by the id of a user in Telegram. */
  readonly users: ReadonlyMap<string, string>;
}

/** How long Telegram holds a question without news, in seconds. */
const HELD = 50;
/** How long to wait for its answer, in milliseconds. */
const PATIENCE = (HELD + 10) * 1_000;
/** How soon to ask again after a failure, in milliseconds. */
const AFTER_FAILURE = 3_000;
/** The longest text of an answer to a press. */
const MAX_REMARK = 200;

/**
 * Asks Telegram for pressed buttons, and decides: in the name of the participant configured for whoever pressed, with
 * that participant's rights, for exactly what the message was about: its digest, and who would run it. What a button sends is a key of the
 * outbox, valid for an hour; a client that sends anything else decides nothing. If several gateways ask, Telegram
 * answers one of them.
 */
function pollPresses(bot: Bot, options: PressesOptions): Polling {
  const { clock, onFault } = options;
  const over = new AbortController();
  async function poll(): Promise<void> {
    let offset = 0;
    while (!over.signal.aborted) {
      const asked = await callBot(bot, 'getUpdates', {
        params: { offset, timeout: HELD, allowed_updates: ['callback_query'] },
        signal: AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE)]),
        now: clock(),
      });
      if (!asked.ok) {
        const wait = Math.max(AFTER_FAILURE, (asked.retryAt ?? 0) - clock());
        await delay(wait, undefined, { signal: over.signal }).catch(() => {});
        continue;
      }
      for (const update of objectsIn(asked.result)) {
        await answer(bot, objectOf(update['callback_query']), options).catch(onFault);
        // Telegram forgets it only when asked for the next one: after a crash it comes again, with the same id.
        offset = Number(update['update_id']) + 1;
      }
    }
  }
  const polling = poll().catch(onFault);
  return {
    async close() {
      over.abort();
      await polling;
    },
  };
}

async function answer(bot: Bot, query: JsonObject, options: PressesOptions): Promise<void> {
  const id = textOf(query['id']);
  if (id === '') return;
  const remark = await decide(query, id, options);
  const params = { callback_query_id: id, text: remark.slice(0, MAX_REMARK), show_alert: remark !== DONE };
  await callBot(bot, 'answerCallbackQuery', {
    params,
    signal: AbortSignal.timeout(10_000),
    now: options.clock(),
  });
}

const DONE = 'Decided.';

/** What the person who pressed is told. */
async function decide(
  query: JsonObject,
  id: string,
  { users, decideAs, findButton, clock }: PressesOptions,
): Promise<string> {
  const who = String(Number(objectOf(query['from'])['id']));
  const participant = users.get(who);
  if (participant === undefined)
    return 'Proffer does not know you. Ask its operator to add you under `notify`.';
  const [, letter, key = ''] = /^([ar]):(.+)$/.exec(textOf(query['data'])) ?? [];
  const found = letter === undefined ? undefined : await findButton(key);
  if (found === undefined) return 'This button no longer works. Open the link.';
  const { space, link, isWhole } = found;
  if (clock() >= link.expiresAt) return 'This button is older than an hour. Open the link.';
  if (letter === 'a' && !isWhole) return 'This message does not show everything. Open the link to approve.';
  const decided = await decideAs({
    id: `telegram-${id}`,
    participant,
    credential: `telegram:${who}`,
    space,
    proposal: link.proposal,
    decision: letter === 'a' ? 'approve' : 'reject',
    body:
      letter === 'a'
        ? { digest: link.digest, ...defined({ seen: link.seen }) }
        : { reason: 'disagree', message: 'Rejected in Telegram.' },
  });
  if (!decided.ok) return decided.refusal.message;
  return decided.value.status === 'late' ? 'This call had already been decided.' : DONE;
}

/** A bot, and where its API is. */
interface Bot {
  readonly token: string;
  /** Such as https://api.telegram.org. */
  readonly api: string;
}

/** What Telegram answered. */
type Answered =
  | { readonly ok: true; readonly result: JsonValue | undefined }
  | Extract<Delivery, { ok: false }>;

/** Calls a method of the Bot API. The token is part of the address, which appears in no message. */
async function callBot(
  { token, api }: Bot,
  method: string,
  {
    params,
    signal,
    now,
  }: { readonly params: JsonObject; readonly signal: AbortSignal; readonly now: number },
): Promise<Answered> {
  const posted = await post({
    url: `${api}/bot${token}/${method}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
    signal,
    now,
  });
  const parsed = parseJson(posted.text ?? '');
  const answer = parsed.ok ? objectOf(parsed.value) : {};
  if (posted.ok && answer['ok'] === true) return { ok: true, result: answer['result'] };
  const { description, parameters } = answer;
  const { why, final, retryAt } = posted.ok
    ? { why: 'Telegram gave no readable answer', final: false, retryAt: undefined }
    : posted;
  const wait = isJsonObject(parameters ?? null) ? objectOf(parameters)['retry_after'] : undefined;
  const until = typeof wait === 'number' ? now + wait * 1_000 : retryAt;
  return {
    ok: false,
    why: typeof description === 'string' ? `Telegram answered: ${description}` : why,
    final,
    ...defined({ retryAt: until }),
  };
}
