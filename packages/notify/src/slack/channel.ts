import { defined, isJsonObject, type JsonValue, parseJson } from '@proffer/core/json';
import type { ShownVersion } from '@proffer/core/operations';
import {
  mapOf,
  optional,
  type Secret,
  secret,
  section,
  text,
  webAddress,
  withDefault,
} from '@proffer/gateway/fields';
import type { Channel, Delivery } from '../channels/channel.js';
import type { ChannelType } from '../channels/channel-type.js';
import { post } from '../channels/http-post.js';
import { readSecret } from '../channels/secret.js';
import type { Item, Notification } from '../content/notification.js';
import { APPROVE_ACTION, type ButtonValue, REJECT_ACTION } from './buttons.js';
import { slackHook } from './hook.js';

export interface SlackSettings {
  /** `xoxb-…`, of an app with `chat:write`. */
  readonly token: string;
  /** A channel's or a user's id, such as C0123 or U0123. */
  readonly to: string;
  /** Default https://slack.com/api. */
  readonly api?: string;
  /** Whether Slack can reach the gateway, so that buttons can decide. Otherwise there is only a link. */
  readonly interactive: boolean;
}

/** The maximum length of a block's text in Slack. */
const MAX_TEXT = 2_900;

/** Posts to Slack, and updates the message once it is decided. */
export function slack({ token, to, api = 'https://slack.com/api', interactive }: SlackSettings): Channel {
  const call = async (method: string, body: object, signal: AbortSignal, now: number): Promise<Delivery> => {
    const posted = await post({
      url: `${api}/${method}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      signal,
      now,
    });
    return posted.ok ? readAnswer(posted.text) : posted;
  };
  return {
    async check(signal) {
      const answer = await call('auth.test', {}, signal, Date.now());
      return answer.ok ? undefined : answer.why;
    },
    // Others read along, and its buttons know who presses them.
    isPrivate: false,
    reportsOutcomes: true,
    async deliver(notification, signal) {
      const { kind, items, title, sentAt } = notification;
      const [first] = items;
      const message = { text: title, blocks: blocksOf(notification, interactive), unfurl_links: false };
      const receipt = kind === 'ended' ? placeOf(first?.receipt) : undefined;
      if (receipt !== undefined) return await call('chat.update', { ...receipt, ...message }, signal, sentAt);
      // Slack gives the same answer for a message it already has under this id.
      const body = { channel: to, client_msg_id: uuidOf(notification.id), ...message };
      return await call('chat.postMessage', body, signal, sentAt);
    },
  };
}

function blocksOf(
  { kind, items, title, text, link, seen }: Notification,
  interactive: boolean,
): readonly JsonValue[] {
  const [only] = items.length === 1 ? items : [];
  const isWhole = only?.summary.isWhole === true && text.length <= MAX_TEXT;
  const shown = isWhole ? seen : undefined;
  const buttons = kind !== 'ended' && interactive && only !== undefined ? decide(only, shown) : [];
  return [
    { type: 'section', text: { type: 'plain_text', text: cut(title, 3_000), emoji: false } },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: cut(text, MAX_TEXT) }] }],
    },
    {
      type: 'actions',
      elements: [
        ...buttons,
        { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: link, action_id: 'proffer_open' },
      ],
    },
  ];
}

/**
 * Nobody approves what they cannot see: if not all of it is shown, there is only a link to the console.
 *
 * @param seen - what an approval is for; absent: there is no button to approve
 */
function decide({ summary: { space, proposal, digest } }: Item, seen?: ShownVersion): readonly JsonValue[] {
  const about: ButtonValue = { space, proposal, digest, ...defined({ seen }) };
  const value = JSON.stringify(about);
  const button = (text: string, action: string, style: string): JsonValue => ({
    type: 'button',
    text: { type: 'plain_text', text },
    action_id: action,
    style,
    value,
  });
  const approve = seen !== undefined ? [button('Approve', APPROVE_ACTION, 'primary')] : [];
  return [...approve, button('Reject', REJECT_ACTION, 'danger')];
}

/** Slack answers 200 and reports success in the body. */
function readAnswer(text: string): Delivery {
  const parsed = parseJson(text);
  const answer = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  if (answer['ok'] === true) {
    const { channel, ts } = answer;
    return typeof ts === 'string' && typeof channel === 'string'
      ? { ok: true, receipt: { channel, ts } }
      : { ok: true };
  }
  const error = typeof answer['error'] === 'string' ? answer['error'] : 'no readable answer';
  const final = !['ratelimited', 'internal_error', 'fatal_error', 'request_timeout'].includes(error);
  return { ok: false, why: `Slack answered ${error}`, final };
}

function placeOf(
  receipt: JsonValue | undefined,
): { readonly channel: string; readonly ts: string } | undefined {
  if (receipt === undefined || !isJsonObject(receipt)) return undefined;
  const { channel, ts } = receipt;
  return typeof channel === 'string' && typeof ts === 'string' ? { channel, ts } : undefined;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** Slack requires a UUID. */
function uuidOf(id: string): string {
  const digits = id.slice('msg_'.length).padEnd(32, '0');
  return [8, 4, 4, 4, 12]
    .reduce<{ parts: string[]; at: number }>(
      ({ parts, at }, length) => ({ parts: [...parts, digits.slice(at, at + length)], at: at + length }),
      { parts: [], at: 0 },
    )
    .parts.join('-');
}

interface SlackKeys {
  readonly token: Secret;
  /** Enables buttons in Slack that decide. */
  readonly signingSecret: Secret | undefined;
  /** Participants by `TEAM/USER`. */
  readonly users: ReadonlyMap<string, string>;
  readonly api: string;
}

/** `type: slack`. Slack calls back at `POST /hooks/slack-CHANNEL` if there is a signing secret. */
export const slackChannel: ChannelType<SlackKeys> = {
  fields: section<SlackKeys>({
    token: secret('a bot token, xoxb-…'),
    signingSecret: optional(secret('the signing secret of the Slack app')),
    users: withDefault(
      mapOf((tree, path, report) => text('the name of a participant').read(tree, path, report), {
        what: 'TEAM/USER ids',
        check: (id) => (/^T\w+\/U\w+$/.test(id) ? undefined : 'Expected TEAM/USER, such as T0123/U0456.'),
      }),
      new Map(),
    ),
    api: withDefault(webAddress, 'https://slack.com/api'),
  }),
  routeNeeds: { to: "a channel's or user's id, such as C0123" },
  open: ({ token, signingSecret, api }, { to = '' }) =>
    slack({ token: readSecret(token), to, api, interactive: signingSecret !== undefined }),
  hook({ signingSecret, users }, { channel, decideAs, clock }) {
    if (signingSecret === undefined) return undefined;
    const name = `slack-${channel}`;
    return slackHook({ name, signingSecret: readSecret(signingSecret), users, decideAs, clock });
  },
};
