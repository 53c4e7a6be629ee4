import type { JsonObject } from '@proffer/core/json';
import { numberIn, textIn } from '../session/answer-parts.js';
import { count, duration } from '../text/words.js';

const MET: ReadonlyMap<string, (times: string) => string> = new Map(
  Object.entries({
    rate_limited: (times: string) => `${times} someone sent too much at once and had to wait`,
    too_large: (times: string) => `${times} a message was too large`,
    too_deep: (times: string) => `${times} a message was nested too deeply`,
    too_many_bad_messages: (times: string) =>
      `${times} a connection was closed after too many unreadable messages`,
    too_many_connections: (times: string) => `${times} a token had too many connections`,
    too_many_pending: (times: string) => `${times} someone had too many proposals pending`,
    too_many_open_sessions: (times: string) => `${times} there were too many open negotiations`,
    fell_behind: (times: string) => `${times} a subscriber was closed because it read too slowly`,
  }),
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
