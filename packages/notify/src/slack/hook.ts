import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256 } from '@proffer/core';
import { defined } from '@proffer/core/json';
import type { DecideAs, Hook, HookRequest } from '@proffer/gateway';
import { post } from '../channels/http-post.js';
import { readInteraction, type SlackPress } from './interaction.js';

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
