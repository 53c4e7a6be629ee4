import { createHash, randomBytes } from 'node:crypto';
import { parseJson, textsIn } from '@proffer/core/json';

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

/** A token that a participant invites another one with: it names where it is valid, so that it can be looked up. */
export function createInvitationToken(space: string, participant: string): NewToken {
  const { token: secret } = createToken();
  const token = `${secret}.${Buffer.from(JSON.stringify([space, participant])).toString('base64url')}`;
  return { token, hash: digestToken(token).toString('hex') };
}

/** A code that a person types once, on a phone perhaps: 80 random bits, in groups of four letters and digits. */
export function createKeyCode(): NewToken {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % 32]).join('');
  const token = letters.replace(/(.{4})(?=.)/g, '$1-');
  return { token, hash: digestToken(token).toString('hex') };
}

/** Without what looks like something else: 0, 1, l and o. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Where the token of an invitation is valid, and for whom; `undefined` for every other token. */
export function readInvitationToken(token: string): Pick<InvitedAs, 'space' | 'name'> | undefined {
  const [, written] = /^pf_[\w-]{43}\.([\w-]+)$/.exec(token) ?? [];
  if (written === undefined) return undefined;
  const parsed = parseJson(Buffer.from(written, 'base64url').toString());
  const [space, name] = parsed.ok ? textsIn(parsed.value) : [];
  return space === undefined || name === undefined ? undefined : { space, name };
}

/** What the token of an invitation stands for. */
export interface InvitedAs {
  readonly space: string;
  readonly name: string;
  readonly digest: Buffer;
}

/**
 * The SHA-256 of a token. One round is enough, without salt: the token is 256 random bits, not
 * something a person chose, so there is no list of likely ones to try, and two are never the same. A
 * slow hash would only slow down every request.
 */
export function digestToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
