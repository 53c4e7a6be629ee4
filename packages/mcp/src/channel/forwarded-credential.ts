/** What a server says about credentials that it rejects. */
export interface Challenge {
  /** 401: they are missing, wrong or over. 403: they are not enough for this request (`insufficient_scope`). */
  readonly status: 401 | 403;
  /** Its `WWW-Authenticate`. */
  readonly text: string;
}

/** The credential that a client sends to the server behind a guard, and the server's answer to it. */
export interface ForwardedCredential {
  /** The client's `Authorization` of now; it changes when the client has a new token. */
  readonly authorization: () => string | undefined;
  /** The server wants another one. */
  readonly onChallenge: (challenge: Challenge, authorization: string | undefined) => void;
}

/** A `fetch` that sends a client's credential and notes the server's answer to it. */
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

/** What a response says about missing, expired or insufficient credentials; nothing if they are not the matter. */
export function challengeIn({
  status,
  headers,
}: Pick<Response, 'status' | 'headers'>): Challenge | undefined {
  const text = headers.get('www-authenticate');
  if (status === 401) return { status, text: text ?? 'Bearer' };
  // Any other 403 is about something else than scopes, and no new token would help.
  return status === 403 && text !== null && INSUFFICIENT_SCOPE.test(text) ? { status, text } : undefined;
}

const INSUFFICIENT_SCOPE = /\berror="?insufficient_scope\b/;
