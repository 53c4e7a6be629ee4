import type { RetryOptions } from '../connection/backoff.js';
import type { TokenSource } from '../connection/connection.js';
import type { MacpTransport } from './transport.js';

/** A client's identity. */
export interface MacpAuth {
  /** The token, or a function that returns one for each call. */
  readonly token: TokenSource;
  /** The token's own name: the default `sender` (N-7). */
  readonly sender: string;
}

/** A dev-mode participant, whose token is its name. */
export function devAgent(name: string): MacpAuth {
  return { token: name, sender: name };
}

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
