import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '@proffer/core';
import { SUBPROTOCOL_TOKEN_PREFIX } from './auth/index.js';

/**
 * The refusal of a request that says twice who it is from: what stands before the gateway may have looked at one of
 * them, and the gateway at the other.
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
