import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isJsonObject } from '@proffer/core/json';
import { objectAt, paramsOf, textAt } from '../json-rpc.js';

const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/**
 * Tells clients without sessions (2026-07-28) apart: by the credential that they send, and by the name that
 * they give themselves with every request. The same client has the same scope in each of its requests, also
 * after a restart of either side; its version is left out, so that an update does not part it from its tasks.
 * Two that send the same credential and the same name cannot be told apart.
 */
export function clientScope({ headers }: Pick<IncomingMessage, 'headers'>, body: unknown): string {
  const params = isJsonObject(body) ? paramsOf(body) : {};
  const name = textAt(objectAt(objectAt(params, '_meta'), CLIENT_INFO_KEY), 'name');
  const identity = JSON.stringify([headers.authorization ?? '', name]);
  return `client ${createHash('sha256').update(identity).digest('hex')}`;
}
