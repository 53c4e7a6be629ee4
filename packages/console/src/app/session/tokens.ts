/** A token, and how to get the next one where there is one. */
export interface Tokens {
  readonly token: string;
  /** When to renew it; milliseconds since 1970. */
  readonly renewAt?: number;
  readonly renew?: () => Promise<Tokens>;
}

/** The token of this tab, renewed in time. */
export interface TokenHolder {
  /** The one there is. */
  current(): string;
  /** One that is good for a while: the next one, if this one is about to end. */
  fresh(): Promise<string>;
  /** No more renewals. */
  close(): void;
}

/** Timers cannot be set further ahead. */
const FAR = 2 ** 31 - 1;

/** @param onChange - called with each new token */
export function holdTokens(first: Tokens, onChange: (token: string) => void): TokenHolder {
  let tokens = first;
  let renewing: Promise<string> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(): void {
    const { renewAt } = tokens;
    if (renewAt === undefined) return;
    timer = setTimeout(() => void fresh().catch(() => {}), Math.min(Math.max(0, renewAt - Date.now()), FAR));
  }

  async function renew(next: () => Promise<Tokens>): Promise<string> {
    clearTimeout(timer);
    try {
      tokens = await next();
      onChange(tokens.token);
      schedule();
    } finally {
      renewing = undefined;
    }
    return tokens.token;
  }

  async function fresh(): Promise<string> {
    const { renew: next, renewAt, token } = tokens;
    if (next === undefined || renewAt === undefined || Date.now() < renewAt) return token;
    // A refresh token works once: everybody waits for the same renewal.
    renewing ??= renew(next);
    return await renewing.catch(() => token);
  }

  schedule();
  return { current: () => tokens.token, fresh, close: () => clearTimeout(timer) };
}
