import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { defined, type JsonObject } from '@proffer/core/json';
import { registrationChallenge, requestToSignKey, type SigningRequest } from '@proffer/core/operations';
import type { DecisionSigner } from './signing.js';

/** An Ed25519 key that a program signs its decisions with, as a private JWK (RFC 8037). Keep it secret. */
export type SigningKey = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The public key, and the id of the key. */
  readonly x: string;
  readonly d: string;
};

export function makeSigningKey(): SigningKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  // On a command line, an id that begins with a dash reads as an option.
  return x.startsWith('-') ? makeSigningKey() : { kty: 'OKP', crv: 'Ed25519', x, d };
}

/** Signs with a key. Pass it to `connect` as `signer`. */
export function signerWith(key: SigningKey): DecisionSigner {
  return ({ at, digests, challenge }: SigningRequest) =>
    Promise.resolve({ key: key.x, at, digests, signature: signText(key, challenge) });
}

/** Who registers a key, and by whose leave. */
export interface KeyRegistration {
  readonly space: string;
  readonly participant: string;
  /** What its owner calls it. */
  readonly label?: string | undefined;
  /** The code of an operator; or a key that is registered already. */
  readonly by: { readonly code: string } | { readonly signer: DecisionSigner };
}

/** The payload of `mcpx.register.key` for a key (O-49). */
export async function registration(
  key: SigningKey,
  { space, participant, label, by }: KeyRegistration,
  now = Date.now(),
): Promise<JsonObject> {
  const signature = signText(key, registrationChallenge({ space, participant, at: now }));
  const added = { space, participant, key: key.x };
  return {
    at: now,
    ed25519: { key: key.x, signature },
    ...defined({ label }),
    ...('code' in by ? { code: by.code } : { signature: await by.signer(requestToSignKey(added, now)) }),
  };
}

function signText(key: SigningKey, text: string): string {
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return sign(null, Buffer.from(text), privateKey).toString('base64url');
}
