import { refusalRow } from '@proffer/core';
import { ConnectionClosedError } from '../connection-errors.js';
import type { SocketEnd } from './socket.js';

/**
 * Why not to reconnect after a connection ended; `undefined` if it is worth retrying, as after a lost
 * network, a gateway that went away (1001) and when we fell behind (4408).
 */
export function reasonToGiveUp({ code, refusal, cause }: SocketEnd): ConnectionClosedError | undefined {
  if (code === 4401) return new ConnectionClosedError('credential_revoked', 'The token is no longer valid.');
  if (code === 4400) {
    const what = 'The gateway closed the connection: it could not read too many of the messages.';
    return new ConnectionClosedError('too_many_errors', what);
  }
  if (refusal === undefined || refusalRow(refusal.code)?.retryable === true) return undefined;
  return new ConnectionClosedError('refused', refusal.message, {
    code: refusal.code,
    ...(cause === undefined ? {} : { cause }),
  });
}
