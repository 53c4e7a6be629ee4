import type { JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';

/** Characters of what a server calls itself, at most. */
const LONGEST = 100;

/** What a server calls itself, with its version, in its answer to `initialize` or `server/discover`; nothing in any other message. */
export function serverInfoIn(message: JsonObject): string | undefined {
  const info = objectAt(objectAt(message, 'result'), 'serverInfo');
  const name = textAt(info, 'title') || textAt(info, 'name');
  if (name === '') return undefined;
  return `${name} ${textAt(info, 'version')}`.trim().slice(0, LONGEST).toWellFormed();
}
