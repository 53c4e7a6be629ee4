/** A token, and how to get the next one if possible. */
export interface Tokens {
  readonly token: string;
  /** When to renew it; milliseconds since 1970. */
  readonly renewAt?: number;
  readonly renew?: () => Promise<Tokens>;
  /** Whether a reload gets another one, so that the tab does not have to keep it. */
  readonly isMemoryOnly?: boolean;
}

/** The token of this tab, renewed in time. */
export interface TokenHolder {
  /** The current one. */
  current(): string;
  /** One that is valid for a while: the next one, if this one is about to expire. */
  fresh(): Promise<string>;
  /** Stops renewing. */
  close(): void;
}

/** Timers cannot be set further ahead. */
const FAR = 2 ** 31 - 1;

export interface TokenEvents {
  /** Called with each new token. */
  readonly onChange: (token: string) => void;
  /** Called when a renewal failed. The next connection tries again. */
  readonly onFailure: (error: unknown) => void;
}

export function holdTokens(first: Tokens, { onChange, onFailure }: TokenEvents): TokenHolder {
  let tokens = first;
  let renewing: Promise<string> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function schedule(): void {
    const { renewAt } = tokens;
    if (renewAt === undefined) return;
    timer = setTimeout(() => void fresh(), Math.min(Math.max(0, renewAt - Date.now()), FAR));
  }

  async function renew(next: () => Promise<Tokens>): Promise<string> {
    clearTimeout(timer);
    try {
      const renewed = await next();
      // Someone who signed out in the meantime stays signed out.
      if (isClosed) return tokens.token;
      tokens = renewed;
      onChange(tokens.token);
      schedule();
    } catch (error) {
      if (!isClosed) onFailure(error);
    } finally {
      renewing = undefined;
    }
    return tokens.token;
  }

  async function fresh(): Promise<string> {
    const { renew: next, renewAt, token } = tokens;
    if (isClosed || next === undefined || renewAt === undefined || Date.now() < renewAt) return token;
    // A refresh token works once: all callers wait for the same renewal.
    renewing ??= renew(next);
    return await renewing;
  }

  schedule();
  return {
    current: () => tokens.token,
    fresh,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
