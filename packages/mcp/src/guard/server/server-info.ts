import type { JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';

/** The maximum length of a server's name for itself, in characters. */
const LONGEST = 100;

/**
 * A server's name and version in its answer to `initialize` or `server/discover`; `undefined` for any other message.
 */
export function serverInfoIn(message: JsonObject): string | undefined {
  const info = objectAt(objectAt(message, 'result'), 'serverInfo');
  const name = textAt(info, 'title') || textAt(info, 'name');
  if (name === '') return undefined;
  return `${name} ${textAt(info, 'version')}`.trim().slice(0, LONGEST).toWellFormed();
}
