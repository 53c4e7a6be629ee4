import {
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  parseJson,
} from '@proffer/core/json';
import type { Delivery } from '../channels/channel.js';
import { post } from '../channels/http-post.js';

/** A bot, and where its API is. */
export interface Bot {
  readonly token: string;
  /** Such as https://api.telegram.org. */
  readonly api: string;
}

/** What Telegram answered. */
type Answered =
  | { readonly ok: true; readonly result: JsonValue | undefined }
  | Extract<Delivery, { ok: false }>;

/** Calls a method of the Bot API. The token is part of the address, which appears in no message. */
export async function callBot(
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
