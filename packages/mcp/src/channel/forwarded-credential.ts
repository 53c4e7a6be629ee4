/** What a client shows to the server behind a guard, and what the server says about it. */
export interface ForwardedCredential {
  /** The client's `Authorization` of now; it changes when the client has a new token. */
  readonly authorization: () => string | undefined;
  /** The server wants another one: its `WWW-Authenticate`. */
  readonly onChallenge: (challenge: string, authorization: string | undefined) => void;
}

/** A `fetch` that sends a client's credential, and hears what the server says about it. */
export function fetchWith({ authorization, onChallenge }: ForwardedCredential): typeof fetch {
  return async (input, init) => {
    const shown = authorization();
    const headers = new Headers(init?.headers);
    if (shown !== undefined) headers.set('authorization', shown);
    const response = await fetch(input, { ...init, headers });
    const challenge = challengeIn(response);
    if (challenge !== undefined) onChallenge(challenge, shown);
    return response;
  };
}

/** What a response says about credentials that are missing, over, or not enough; nothing if they are not the matter. */
export function challengeIn({ status, headers }: Pick<Response, 'status' | 'headers'>): string | undefined {
  return status === 401 ? (headers.get('www-authenticate') ?? 'Bearer') : undefined;
}
