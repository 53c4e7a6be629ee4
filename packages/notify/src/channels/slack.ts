import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256 } from '@proffer/core';
import {
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  parseJson,
  textOf,
} from '@proffer/core/json';
import type { ShownVersion } from '@proffer/core/operations';
import type { DecideAs, Hook, HookRequest } from '@proffer/gateway';
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
import type { Item, Notification } from '../content/notification.js';
import { type Channel, type ChannelType, type Delivery, readSecret } from './channel.js';
import { post } from './http-post.js';

/** What a button sends back: which proposal, and exactly what was shown. */
export type ButtonValue = {
  readonly space: string;
  readonly proposal: string;
  readonly digest: string;
  /** Absent in messages of older versions: they approve nothing. */
  readonly seen?: ShownVersion;
};

/** The names of the buttons in Slack's callbacks. */
export const APPROVE_ACTION = 'proffer_approve';
export const REJECT_ACTION = 'proffer_reject';

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

/** A button press in Slack. */
interface SlackPress {
  /** `TEAM/USER`: people can change their names and addresses, but not these. */
  readonly who: string;
  readonly decision: 'approve' | 'reject';
  readonly about: ButtonValue;
  /** Where to post a message for the person who pressed it. */
  readonly responseUrl?: string;
}

/** Parses what Slack posts for a button. `undefined` for anything else. */
function readInteraction(body: string): SlackPress | undefined {
  const payload = objectIn(new URLSearchParams(body).get('payload') ?? '');
  if (payload?.['type'] !== 'block_actions') return undefined;
  const { user, actions, response_url: responseUrl } = payload;
  const [action] = listOf(actions);
  if (!isObject(user) || !isObject(action)) return undefined;
  const decision = DECISIONS.get(textOf(action['action_id']));
  const about = readButton(textOf(action['value']));
  const [team, id] = [textOf(user['team_id']), textOf(user['id'])];
  if (decision === undefined || about === undefined || team === '' || id === '') return undefined;
  return {
    who: `${team}/${id}`,
    decision,
    about,
    ...(typeof responseUrl === 'string' ? { responseUrl } : {}),
  };
}

const DECISIONS = new Map<string, SlackPress['decision']>([
  [APPROVE_ACTION, 'approve'],
  [REJECT_ACTION, 'reject'],
]);

function readButton(text: string): ButtonValue | undefined {
  const value = objectIn(text);
  const { space, proposal, digest, seen } = value ?? {};
  if (typeof space !== 'string' || typeof proposal !== 'string' || typeof digest !== 'string')
    return undefined;
  // Slack signed it, and nobody else can write one. Core checks it like any other.
  return { space, proposal, digest, ...(isObject(seen) ? { seen } : {}) };
}

function objectIn(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}

/** How old a signature may be, in milliseconds: an older one may be a replay. */
const OLDEST = 300_000;

/** Whether Slack sent this just now: its signature covers the time and the body, byte by byte. */
function isFromSlack({ headers, body }: HookRequest, secret: string, now: number): boolean {
  const time = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof time !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now - Number(time) * 1_000) > OLDEST) return false;
  const expected = Buffer.from(
    `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`,
  );
  const found = Buffer.from(signature);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

interface SlackHookOptions {
  /** `slack-` and the name of the channel: Slack's interactivity URL ends with it. */
  readonly name: string;
  readonly signingSecret: string;
  /** Participants by `TEAM/USER`. */
  readonly users: ReadonlyMap<string, string>;
  readonly decideAs: DecideAs;
  readonly clock: () => number;
}

/** How long Slack may take to show a reply, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Handles what Slack posts when someone presses a button. The decision is made in the name of the
 * participant configured for that person, with that participant's rights, for exactly what the
 * message was about: its digest, and who would run it. The notifier updates the message once the proposal has ended.
 */
function slackHook({ name, signingSecret, users, decideAs, clock }: SlackHookOptions): Hook {
  async function decide(pressed: SlackPress, id: string): Promise<string | undefined> {
    const { who, decision, about } = pressed;
    const participant = users.get(who);
    if (participant === undefined)
      return 'Proffer does not know you. Ask its operator to add you under `notify`.';
    const decided = await decideAs({
      id,
      participant,
      credential: `slack:${who}`,
      space: about.space,
      proposal: about.proposal,
      decision,
      body:
        decision === 'approve'
          ? { digest: about.digest, ...defined({ seen: about.seen }) }
          : { reason: 'disagree', message: 'Rejected in Slack.' },
    });
    if (!decided.ok) return decided.refusal.message;
    return decided.value.status === 'late' ? 'This call had already been decided.' : undefined;
  }

  return {
    name,
    async answer(request) {
      if (!isFromSlack(request, signingSecret, clock())) return { status: 401 };
      const pressed = readInteraction(request.body);
      if (pressed === undefined) return { status: 200 };
      // Repeating the request repeats the message (O-3).
      const id = `slack-${sha256(String(request.headers['x-slack-signature'])).slice(0, 32)}`;
      const remark = await decide(pressed, id);
      if (remark !== undefined) await tell(pressed, remark, clock());
      return { status: 200 };
    },
  };
}

/** Sends a message only to the person who pressed the button. */
async function tell({ responseUrl }: SlackPress, text: string, now: number): Promise<void> {
  if (responseUrl === undefined) return;
  await post({
    url: responseUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response_type: 'ephemeral', replace_original: false, text }),
    signal: AbortSignal.timeout(PATIENCE),
    now,
  });
}
