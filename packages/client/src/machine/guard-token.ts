import { createHmac } from 'node:crypto';

/** Who signs the tokens of a machine, and for whom. */
export const GUARDS_ISSUER = 'proffer-guard';
/** Seconds. */
const LIFETIME = 86_400;

/**
 * A token for a participant that asks: a guard, a hook or an agent, under its own name; valid for a
 * day.
 */
export function guardToken({ key }: { readonly key: string }, name: string, now: number): string {
  return signedToken(key, name, { now, role: 'guard' });
}

/**
 * A token valid for a day.
 *
 * @param key - the machine's, as base64url
 * @param role - the configuration of the shared gateway says what it may do
 */
export function signedToken(
  key: string,
  name: string,
  { now, role }: { readonly now: number; readonly role: 'guard' | 'device' },
): string {
  const seconds = Math.floor(now / 1_000);
  const claims = {
    iss: GUARDS_ISSUER,
    aud: GUARDS_ISSUER,
    sub: name,
    iat: seconds,
    exp: seconds + LIFETIME,
    role,
  };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64url')).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
