import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '@proffer/core';
import { SUBPROTOCOL_TOKEN_PREFIX } from './auth/index.js';

/**
 * The refusal of a request with two credentials: a proxy may have checked one of them, and the gateway the
 * other.
 */
export function refuseTwoCredentials({ rawHeaders, headers }: IncomingMessage): Refusal | undefined {
  let count = (headers['sec-websocket-protocol'] ?? '').split(SUBPROTOCOL_TOKEN_PREFIX).length - 1;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'authorization') count++;
  }
  if (count < 2) return undefined;
  return refuse('unauthenticated', 'The request has more than one credential; send exactly one.', {
    field: 'Authorization',
    found: count,
    expected: 'one',
  });
}
