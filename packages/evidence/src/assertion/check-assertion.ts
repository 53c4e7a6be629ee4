import { isJsonObject, type JsonObject, parseJson, textOf } from '@proffer/core/json';
import type { Assertion, AssertionCheck, RegisteredKey } from '@proffer/core/operations';
import { fromBase64url, joined, toHex, utf8 } from '../notes/bytes.js';
import { type HashBytes, isSameHash } from '../tree/merkle.js';

/** Checks a signature with a public key. */
export type VerifyWithJwk = (jwk: JsonObject, message: Uint8Array, signature: Uint8Array) => boolean;

/** The origins at which passkeys of a domain may be used. */
export type IsOrigin = (origin: string, domain: string) => boolean;

/** What a key signed: the bytes, and the signature, or why the signature cannot be one. */
export type SignedBytes =
  | { readonly message: Uint8Array; readonly signature: Uint8Array; readonly wrong?: never }
  | { readonly wrong: string; readonly message?: never };

type CheckedKey = Pick<RegisteredKey, 'type' | 'jwk' | 'domain'>;

/**
 * Checks the signature of a decision (O-49) with nothing but what is in records, so that a gateway, and later anyone who
 * has them, comes to the same result.
 *
 * @param isOrigin - which pages may ask for a passkey. Default: those of its domain, by https or on this machine
 */
export function createAssertionCheck(
  verify: VerifyWithJwk,
  hash: HashBytes,
  isOrigin: IsOrigin = isOriginOf,
): AssertionCheck {
  return (assertion, key, challenge) => {
    const signed = signedBytes(assertion, key, challenge, { hash, isOrigin });
    if (signed.wrong !== undefined) return signed.wrong;
    return verify(key.jwk, signed.message, signed.signature) ? undefined : 'the key did not sign this';
  };
}

/** What an assertion's signature is over, if everything else about it is right. */
export function signedBytes(
  assertion: Assertion,
  { type, jwk, domain = '' }: CheckedKey,
  challenge: string,
  { hash, isOrigin = isOriginOf }: { readonly hash: HashBytes; readonly isOrigin?: IsOrigin },
): SignedBytes {
  const signature = fromBase64url(assertion.signature);
  if (signature === undefined) return { wrong: 'it is not in base64url' };
  if (type === 'ed25519')
    return isWeak(jwk) ? { wrong: 'anyone can sign with this key' } : { message: utf8(challenge), signature };
  const authenticator = fromBase64url(assertion.authenticatorData ?? '');
  const client = fromBase64url(assertion.clientDataJSON ?? '');
  if (authenticator === undefined || client === undefined || authenticator.length < 37)
    return { wrong: 'it is not that of a passkey' };
  const wrong =
    checkClient(client, { challenge, domain, isOrigin }) ?? checkAuthenticator(authenticator, domain, hash);
  return wrong === undefined ? { message: joined(authenticator, hash(client)), signature } : { wrong };
}

/** The Ed25519 points of small order, without their sign: such a key accepts signatures that nobody needs a secret for. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/** Whoever registered such a key could say later that somebody else signed with it. */
function isWeak(jwk: JsonObject): boolean {
  const point = fromBase64url(textOf(jwk['x']));
  return point?.length === 32 && SMALL_ORDER.has(toHex(point.with(31, (point[31] ?? 0) & 0x7f)));
}

/** What the browser says: for what page, and what was asked. */
function checkClient(
  client: Uint8Array,
  {
    challenge,
    domain,
    isOrigin,
  }: { readonly challenge: string; readonly domain: string; readonly isOrigin: IsOrigin },
): string | undefined {
  const parsed = parseJson(new TextDecoder().decode(client));
  const data = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  const answered = fromBase64url(textOf(data['challenge']));
  if (data['type'] !== 'webauthn.get') return 'it was not made to approve something';
  if (answered === undefined || !isSameHash(answered, utf8(challenge)))
    return 'the key signed something else';
  if (data['crossOrigin'] === true) return 'the page was inside a page of another site';
  const origin = textOf(data['origin']);
  return isOrigin(origin, domain) ? undefined : `the passkey was used at another address: ${origin}`;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;

/** What the authenticator says: the domain that it signed for, and whether it asked for a finger, a face or a PIN. */
function checkAuthenticator(data: Uint8Array, domain: string, hash: HashBytes): string | undefined {
  if (!isSameHash(data.subarray(0, 32), hash(utf8(domain)))) return 'the passkey belongs to another domain';
  const flags = data[32] ?? 0;
  const isVerified = (flags & PRESENT) !== 0 && (flags & VERIFIED) !== 0;
  return isVerified ? undefined : 'the device did not check who was there';
}

function isOriginOf(origin: string, domain: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, protocol } = new URL(origin);
  return hostname === domain && (protocol === 'https:' || domain === 'localhost');
}
