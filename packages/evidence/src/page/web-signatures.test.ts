import { generateKeyPairSync, sign } from 'node:crypto';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { makeSignerKey, signBytes } from '../node/index.js';
import { checkingSignatures, verifyEd25519, verifyJwk } from './web-signatures.js';

const message = Buffer.from('a decision');
const pairs = [
  ['an Ed25519 key', generateKeyPairSync('ed25519'), null],
  ['a passkey with P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256'],
  ['a passkey with RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'],
] as const;

describe('signatures in a browser', () => {
  it.each(pairs)('I-10: of %s are checked as in Node', async (_, { privateKey, publicKey }, hash) => {
    const jwk = publicKey.export({ format: 'jwk' }) as JsonObject;
    // Numbers with leading zeros, and with the first bit set, are written in different lengths.
    for (let time = 0; time < 64; time++) {
      const signature = sign(hash, message, privateKey);
      expect(await verifyJwk(jwk, message, signature)).toBe(true);
      expect(await verifyJwk(jwk, Buffer.from('another'), signature)).toBe(false);
    }
    expect(await verifyJwk(jwk, message, Buffer.alloc(3))).toBe(false);
    expect(await verifyJwk({ kty: 'EC' }, message, Buffer.alloc(64))).toBe(false);
  });

  it('I-10: of a log are checked as in Node', async () => {
    const key = makeSignerKey('example.com/log');
    expect(await checkingSignatures()).toBe(true);
    expect(await verifyEd25519(key.verifier.publicKey, message, signBytes(key, message))).toBe(true);
    expect(await verifyEd25519(key.verifier.publicKey, message, Buffer.alloc(64))).toBe(false);
  });
});
