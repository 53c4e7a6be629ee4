import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isJsonObject } from '@proffer/core/json';
import { objectAt, paramsOf, textAt } from '../json-rpc.js';

const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/**
 * Distinguishes clients without sessions (2026-07-28): by their credential, and by the name they send with
 * every request. The same client has the same scope in all its requests, also after a restart of either side;
 * its version is left out, so that an update does not separate it from its tasks. Two with the same
 * credential and the same name cannot be told apart.
 */
export function clientScope({ headers }: Pick<IncomingMessage, 'headers'>, body: unknown): string {
  const params = isJsonObject(body) ? paramsOf(body) : {};
  const name = textAt(objectAt(objectAt(params, '_meta'), CLIENT_INFO_KEY), 'name');
  const identity = JSON.stringify([headers.authorization ?? '', name]);
  return `client ${createHash('sha256').update(identity).digest('hex')}`;
}
