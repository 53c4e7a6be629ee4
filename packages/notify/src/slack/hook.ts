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
import type { DecideAs, Hook, HookRequest } from '@proffer/gateway';
import { post } from '../channels/http-post.js';
import { APPROVE_ACTION, type ButtonValue, REJECT_ACTION } from './buttons.js';

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

export interface SlackHookOptions {
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
export function slackHook({ name, signingSecret, users, decideAs, clock }: SlackHookOptions): Hook {
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
    return decided.value.status === 'late' ? 'It had already been decided.' : undefined;
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
