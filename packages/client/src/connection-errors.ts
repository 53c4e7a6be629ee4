import { defined } from '@proffer/core/json';
/** Too many messages await acknowledgement. Wait for some of them, or send less. */
export class OutboxFullError extends Error {
  override readonly name = 'OutboxFullError';
  /** Which limit was reached: messages or bytes. */
  readonly limit: number;
  readonly of: 'messages' | 'bytes';

  constructor(limit: number, of: 'messages' | 'bytes') {
    super(
      `${limit} ${of} are waiting for the gateway's acknowledgement; no more are accepted until some are acknowledged.`,
    );
    this.limit = limit;
    this.of = of;
  }
}

/**
 * Why the connection ended.
 *
 * - `closed`: this side closed it.
 * - `refused`: the gateway refuses us: the token, the space or the address is wrong.
 * - `credential_revoked`: the token is no longer valid.
 * - `too_many_errors`: the gateway got too many unreadable messages.
 * - `timeout`: there was no first welcome in time.
 */
export type ClosedReason = 'closed' | 'refused' | 'credential_revoked' | 'too_many_errors' | 'timeout';

/** The connection has ended for good; pending operations fail with this. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError';
  readonly reason: ClosedReason;
  /** The refusal code, if the gateway gave one. */
  readonly code?: string;

  constructor(reason: ClosedReason, message: string, about: { code?: string; cause?: unknown } = {}) {
    super(message, defined({ cause: about.cause }));
    this.reason = reason;
    if (about.code !== undefined) this.code = about.code;
  }
}
