import type { RetryOptions } from '../connection/backoff.js';
import type { MacpAuth } from './auth.js';
import type { MacpTransport } from './transport.js';

export interface MacpClientOptions {
  /** The transport to the runtime; closed with the client. */
  readonly transport: MacpTransport;
  readonly auth: MacpAuth;
  /**
   * How long to wait before a retry. `false`: everything is tried once, at each address of the
   * transport.
   */
  readonly retry?: RetryOptions | false;
  /** Milliseconds for a call including retries. Default 30 000. */
  readonly timeout?: number;
  /** Milliseconds for one attempt, before it is retried on another connection. Default 10 000. */
  readonly attemptTimeout?: number;
}
