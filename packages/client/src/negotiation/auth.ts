import type { TokenSource } from '../connection/connection.js';

/** Who a client is. */
export interface MacpAuth {
  /** The token, or a function that gives one each time something is asked. */
  readonly token: TokenSource;
  /** The token's own name: the default `sender` (N-7). */
  readonly sender: string;
}

/** A participant in dev mode, where the token is the name. */
export function devAgent(name: string): MacpAuth {
  return { token: name, sender: name };
}
