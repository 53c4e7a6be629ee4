import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { type Origin } from '@proffer/core/operations';
import { objectAt, textAt } from '../../json-rpc.js';
import { CLIENT_KEY } from '../../revision.js';

/** The maximum length of a client's description of itself, in characters. */
const LONGEST = 200;

/** The client's name from `clientInfo`: in `initialize`, or in the `_meta` of each request (2026-07-28). */
export function clientIn(params: JsonObject): Origin {
  const own = objectAt(params, 'clientInfo');
  const info = Object.keys(own).length > 0 ? own : objectAt(objectAt(params, '_meta'), CLIENT_KEY);
  return { ...said('client', textAt(info, 'name')), ...said('version', textAt(info, 'version')) };
}

/**
 * What a guard itself knows about a connection: its user, and a session id, so that people can allow
 * something for this session only (O-41).
 *
 * @param isSession - false for a client with single requests
 */
export function aboutConnection(user: string | undefined, isSession: boolean): Origin {
  const session = isSession ? { session: randomBytes(6).toString('hex') } : {};
  return user === undefined ? session : { user, ...session };
}

/** On whose behalf a proposal was made, according to the gateway; `undefined` if it does not say. */
export function originIn({ origin }: JsonObject): Origin | undefined {
  return isJsonObject(origin) ? origin : undefined;
}

/** Whether two are the same client of the same user, whatever its version. */
export function isSameOrigin(one: Origin | undefined, other: Origin | undefined): boolean {
  return one?.client === other?.client && one?.user === other?.user;
}

function said<Key extends keyof Origin>(key: Key, text: string): Pick<Origin, Key> | object {
  const short = text.slice(0, LONGEST).toWellFormed();
  return short === '' ? {} : { [key]: short };
}
