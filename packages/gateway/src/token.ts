import { createHash, randomBytes } from 'node:crypto';

/** The prefix of all our tokens, so that a leaked one can be recognised. */
export const TOKEN_PREFIX = 'pf_';

/** A new token, and its hash for a configuration. */
export interface NewToken {
  /** Shown once, to its future owner; stored nowhere. */
  readonly token: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string;
}

/** Creates a token: `pf_` and 32 random bytes as base64url. */
export function createToken(): NewToken {
  const token = `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;
  return { token, hash: `sha256:${digestToken(token).toString('hex')}` };
}

/**
 * The SHA-256 of a token. One round is enough, without salt: the token is 256 random bits, not
 * something a person chose, so there is no list of likely ones to try, and two are never the same. A
 * slow hash would only slow down every request.
 */
export function digestToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
