import type { TokenSource } from '../connection/connection.js';

/** Who a client is. */
export interface MacpAuth {
  /** The token, or a function that gives one each time something is asked. */
  readonly token: TokenSource;
  /** The name that the token stands for: the `sender` of what is sent without another one (N-7). */
  readonly sender: string;
}

/** Somebody in dev mode, where the token is the name. */
export function devAgent(name: string): MacpAuth {
  return { token: name, sender: name };
}
