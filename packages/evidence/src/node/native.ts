import { createPublicKey, hash, type JsonWebKey, verify } from 'node:crypto';
import { createAssertionCheck, type IsOrigin, type VerifyWithJwk } from '../assertion/check-assertion.js';
import type { VerifyEd25519 } from '../notes/checkpoint.js';
import { createTreeHashes, type HashBytes } from '../tree/merkle.js';

/** The host's SHA-256, a byte in each character: the host makes a text in a third of the time that a buffer takes. */
export const sha256: HashBytes = (bytes) => {
  const text = hash('sha256', bytes, 'binary');
  const digest = new Uint8Array(text.length);
  for (let at = 0; at < digest.length; at++) digest[at] = text.charCodeAt(at);
  return digest;
};

/** A tree's hashes, by the host's SHA-256. */
export const treeHashes = createTreeHashes(sha256);

/** Checks a signature with the host's Ed25519. */
export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
};

/** Checks a signature with a key of any kind that passkeys have: ECDSA and RSA over SHA-256, and Ed25519. */
export const verifyWithJwk: VerifyWithJwk = (jwk, message, signature) => {
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return verify(jwk['kty'] === 'OKP' ? null : 'sha256', message, key, signature);
  } catch {
    // The key in a record may be none.
    return false;
  }
};

/** Checks the signatures of decisions (O-49) with the host's cryptography. */
export const nativeAssertionCheck = (isOrigin?: IsOrigin) =>
  createAssertionCheck(verifyWithJwk, sha256, isOrigin);
