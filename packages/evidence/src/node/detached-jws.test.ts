import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicJwk, signDetached } from './detached-jws.js';
import { makeSignerKey } from './signer-key.js';

describe('detached JWS', () => {
  it('N-29: is checked with the published key, and by nobody else', () => {
    const [key, other] = [makeSignerKey('example.com/log'), makeSignerKey('example.com/log')];
    const body = Buffer.from('{"what":"was agreed"}');
    const [header = '', middle, signature = ''] = signDetached(key, body).split('.');
    expect(middle).toBe('');
    const jwk = publicJwk(key.verifier);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'EdDSA', kid: jwk.kid });
    const signs = (found: typeof jwk, bytes: Buffer): boolean => {
      const signed = Buffer.from(`${header}.${bytes.toString('base64url')}`);
      const publicKey = createPublicKey({ key: found, format: 'jwk' });
      return verify(null, signed, publicKey, Buffer.from(signature, 'base64url'));
    };
    expect(signs(jwk, body)).toBe(true);
    expect(signs(jwk, Buffer.from('{"what":"was not"}'))).toBe(false);
    expect(signs(publicJwk(other.verifier), body)).toBe(false);
    expect(publicJwk(other.verifier).kid).not.toBe(jwk.kid);
  });
});
