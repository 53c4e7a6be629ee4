import { defined, type JsonObject, objectOf, objectsIn, textOf } from '@proffer/core/json';
import type { PollContext, Polling } from '../channels/channel-type.js';
import { pause } from '../follow/pause.js';
import { type Bot, callBot } from './api.js';

export interface PressesOptions extends PollContext {
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
export function pollPresses(bot: Bot, options: PressesOptions): Polling {
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
        await pause(wait, over.signal);
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
    return 'Proffer does not know you. Ask its operator to add you under notify.';
  const [, letter, key = ''] = /^([ar]):(.+)$/.exec(textOf(query['data'])) ?? [];
  const found = letter === undefined ? undefined : await findButton(key);
  if (found === undefined) return 'This button does not work any more. Open the link.';
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
  return decided.value.status === 'late' ? 'It had already been decided.' : DONE;
}
