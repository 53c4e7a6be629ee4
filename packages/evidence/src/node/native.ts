import { createPublicKey, hash, verify } from 'node:crypto';
import type { VerifyEd25519 } from '../notes/checkpoint.js';
import { createTreeHashes, type HashBytes } from '../tree/merkle.js';

/** The host's SHA-256. */
export const sha256: HashBytes = (bytes) => hash('sha256', bytes, 'buffer');

/** A tree's hashes, by the host's SHA-256. */
export const treeHashes = createTreeHashes(sha256);

/** Checks a signature with the host's Ed25519. */
export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
};
