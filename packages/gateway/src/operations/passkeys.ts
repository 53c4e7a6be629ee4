import type { Envelope, Refusal } from '@proffer/core';
import { refuse } from '@proffer/core';
import { isJsonObject, type JsonObject, objectOf, parseJson, quote, textOf } from '@proffer/core/json';
import { type AssertionCheck, isRecent, type NewKey, registrationChallenge } from '@proffer/core/operations';
import type { IsOrigin } from '@proffer/evidence';
import { nativeAssertionCheck } from '@proffer/evidence/node';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';

/** The keys that decisions are signed with (O-49), as far as cryptography is needed. */
export interface KeyChecks {
  readonly check: AssertionCheck;
  /** The key that a message registers, once its sender has shown to have it. */
  readonly read: (space: string, envelope: Envelope, now: number) => Promise<NewKey | Refusal>;
}

/** @param origins - of the pages where passkeys may be used now. Default: those on this machine */
export function createKeyChecks(origins: () => readonly string[] | undefined): KeyChecks {
  const isOrigin: IsOrigin = (origin, domain) => {
    const hostname = URL.canParse(origin) ? new URL(origin).hostname : undefined;
    return hostname === domain && (origins()?.includes(origin) ?? domain === 'localhost');
  };
  const check = nativeAssertionCheck(isOrigin);

  return {
    check,
    async read(space, { from: participant, payload }, now) {
      const at = Number(payload['at']);
      if (!isRecent({ at }, now))
        return invalid(`it was made ${at > now ? 'in the future' : 'too long ago'}`, {
          why: 'stale',
          at,
          now,
        });
      const challenge = registrationChallenge({ space, participant, at });
      const { passkey, ed25519 } = payload;
      if (isJsonObject(passkey)) return await readPasskey(passkey, challenge, isOrigin);
      const { key: id = '', signature = '' } = objectOf(ed25519) as Record<string, string>;
      const key = { id, type: 'ed25519', jwk: { kty: 'OKP', crv: 'Ed25519', x: id } } as const;
      const fault = check({ key: id, at, digests: [], signature }, key, challenge);
      return fault === undefined ? key : invalid(fault, { why: 'false', key: id });
    },
  };
}

/** A new passkey, once its authenticator answered the challenge at one of our addresses. */
async function readPasskey(
  passkey: JsonObject,
  challenge: string,
  isOrigin: IsOrigin,
): Promise<NewKey | Refusal> {
  const origin = originIn(passkey);
  const domain = URL.canParse(origin) ? new URL(origin).hostname : '';
  if (!isOrigin(origin, domain))
    return invalid(`passkeys cannot be used at ${origin === '' ? 'this address' : origin}`, {
      why: 'origin',
    });
  // Only needed to register a key, which is rare.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const format = await readFormat(passkey);
    if (!FORMATS.has(format))
      return invalid(`its attestation format is ${quote(format)}, not one of ${[...FORMATS].join(', ')}`, {
        why: 'false',
      });
    const { registrationInfo } = await verifyRegistrationResponse({
      response: passkey as unknown as RegistrationResponseJSON,
      expectedChallenge: Buffer.from(challenge).toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: domain,
      requireUserVerification: true,
    });
    if (registrationInfo === undefined) return invalid('the passkey could not be verified', { why: 'false' });
    const { id, publicKey } = registrationInfo.credential;
    return { id, type: 'passkey', jwk: await readPublicKey(publicKey), domain };
  } catch (error) {
    return invalid((error as Error).message, { why: 'false' });
  }
}

/**
 * The formats of what an authenticator says about itself. Nobody asks it which model it is; and for some other formats, the
 * library asks addresses on the network whether their certificates were revoked.
 */
const FORMATS: ReadonlySet<string> = new Set(['none', 'packed']);

async function readFormat({ response }: JsonObject): Promise<string> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const { attestationObject } = objectOf(response);
  return decodeAttestationObject(new Uint8Array(Buffer.from(textOf(attestationObject), 'base64url'))).get(
    'fmt',
  );
}

function originIn({ response }: JsonObject): string {
  const { clientDataJSON } = objectOf(response);
  const parsed = parseJson(Buffer.from(textOf(clientDataJSON), 'base64url').toString());
  return parsed.ok ? textOf(objectOf(parsed.value)['origin']) : '';
}

/** The parameters of COSE keys (RFC 9053) that passkeys have, as in JWKs. */
async function readPublicKey(bytes: Uint8Array<ArrayBuffer>): Promise<JsonObject> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const key = decodeCredentialPublicKey(bytes);
  if (cose.isCOSEPublicKeyEC2(key)) {
    const [x, y] = [key.get(cose.COSEKEYS.x), key.get(cose.COSEKEYS.y)].map(textOfBytes);
    return { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' };
  }
  if (cose.isCOSEPublicKeyRSA(key))
    return { kty: 'RSA', n: textOfBytes(key.get(cose.COSEKEYS.n)), e: textOfBytes(key.get(cose.COSEKEYS.e)) };
  if (cose.isCOSEPublicKeyOKP(key))
    return { kty: 'OKP', crv: 'Ed25519', x: textOfBytes(key.get(cose.COSEKEYS.x)) };
  throw new Error('the algorithm of the passkey is not supported');
}

function textOfBytes(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('base64url');
}

function invalid(why: string, details: JsonObject): Refusal {
  const sentence = why.replace(/\.$/, '');
  return refuse('signature_invalid', `The key cannot be registered: ${sentence}.`, details);
}
