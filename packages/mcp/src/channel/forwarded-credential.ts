/** A server's response to credentials that it rejects. */
export interface Challenge {
  /** 401: missing, wrong or expired. 403: insufficient for this request (`insufficient_scope`). */
  readonly status: 401 | 403;
  /** The answer's `WWW-Authenticate` header. */
  readonly text: string;
}

/** The credential that a client sends to the server behind a guard, and the server's answer to it. */
export interface ForwardedCredential {
  /** The client's current `Authorization`; it changes when the client gets a new token. */
  readonly authorization: () => string | undefined;
  /** The server wants another one. */
  readonly onChallenge: (challenge: Challenge, authorization: string | undefined) => void;
}

/** A `fetch` that sends a client's credential and records the server's response to it. */
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

/**
 * What a response says about missing, expired or insufficient credentials; nothing if they are not the
 * problem.
 */
export function challengeIn({
  status,
  headers,
}: Pick<Response, 'status' | 'headers'>): Challenge | undefined {
  const text = headers.get('www-authenticate');
  if (status === 401) return { status, text: text ?? 'Bearer' };
  // Any other 403 is not about scopes, and a new token would not help.
  return status === 403 && text !== null && INSUFFICIENT_SCOPE.test(text) ? { status, text } : undefined;
}

const INSUFFICIENT_SCOPE = /\berror="?insufficient_scope\b/;
