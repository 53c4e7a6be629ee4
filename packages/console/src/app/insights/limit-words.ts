import type { LimitCode } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { numberIn, textIn } from '../session/answer-parts.js';
import { count, duration } from '../text/words.js';

type Words = (times: string) => string;

const MET: ReadonlyMap<string, Words> = new Map(
  Object.entries<Words>({
    rate_limited: (times) => `${times} someone sent too much at once and had to wait`,
    too_large: (times) => `${times} a message was too large`,
    too_deep: (times) => `${times} a message was nested too deeply`,
    too_many_bad_messages: (times) => `${times} a connection was closed after too many unreadable messages`,
    too_many_connections: (times) => `${times} a token had too many connections`,
    too_many_pending: (times) => `${times} someone had too many proposals pending`,
    too_many_open_sessions: (times) => `${times} there were too many open negotiations`,
    fell_behind: (times) => `${times} a subscriber was closed because it read too slowly`,
    RATE_LIMITED: (times) => `${times} someone sent too much in negotiations at once and had to wait`,
    PAYLOAD_TOO_LARGE: (times) => `${times} a message of a negotiation was too large`,
  } satisfies Record<LimitCode | 'fell_behind', Words>),
);

/** How often a limit was reached, as text. */
export function metInWords(limit: JsonObject): string {
  const times = count(numberIn(limit, 'met'), 'time');
  const code = textIn(limit, 'code');
  return MET.get(code)?.(times) ?? `${times} ${code}`;
}

/** The value of a limit, under its name in the configuration. */
export function limitInWords(limit: JsonObject): string {
  const amount = numberIn(limit, 'value').toLocaleString();
  const per = numberIn(limit, 'per');
  return `${textIn(limit, 'name')}: ${amount}${per === 0 ? '' : ` per ${duration(per).replace(/^1 /, '')}`}`;
}
