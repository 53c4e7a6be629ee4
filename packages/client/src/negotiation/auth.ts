import type { TokenSource } from '../connection/connection.js';

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
