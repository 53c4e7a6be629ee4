import { utf8 } from '../notes/bytes.js';
import { keyId, type VerifierKey } from '../notes/signed-note.js';
import { type SignerKey, signBytes } from './signer-key.js';

/** A public key as a JWK (RFC 8037). */
export type PublicJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly alg: 'EdDSA';
  readonly use: 'sig';
  readonly kid: string;
  readonly x: string;
};

/** A key for those who check a JWS with it. */
export function publicJwk(key: VerifierKey): PublicJwk {
  const x = Buffer.from(key.publicKey).toString('base64url');
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: keyId(key), x };
}

/**
 * Signs bytes that are kept elsewhere: a compact JWS with a detached payload (RFC 7515, appendix F). No note of a log has
 * this form, so that a key can be used for both.
 */
export function signDetached(key: SignerKey, payload: Uint8Array): string {
  const header = base64url(utf8(JSON.stringify({ alg: 'EdDSA', kid: keyId(key.verifier) })));
  const signature = signBytes(key, utf8(`${header}.${base64url(payload)}`));
  return `${header}..${base64url(signature)}`;
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
