import { describe, expect, it } from 'vitest';
import { configured, problemOf } from './testing/configured.js';

const SECRET = { kty: 'oct', k: 'A'.repeat(43) };
const RSA = { kty: 'RSA', n: 'AQAB', e: 'AQAB' };
const P256 = { kty: 'EC', crv: 'P-256', x: 'A', y: 'A' };
const jwt = (more: object) => `jwt: ${JSON.stringify({ issuer: 'i', audience: 'a', ...more })}`;

describe('JWT settings', () => {
  it('allow the algorithms that the keys are for', () => {
    expect(configured(jwt({ jwks: { keys: [SECRET] } })).jwt?.algorithms).toEqual(['HS256']);
    expect(configured(jwt({ jwks: { keys: [P256, RSA] } })).jwt?.algorithms).toEqual(['ES256', 'RS256']);
    expect(configured(jwt({ jwks: { keys: [P256, RSA] }, algorithms: ['RS256'] })).jwt?.algorithms).toEqual([
      'RS256',
    ]);
    expect(configured(jwt({ jwks_url: 'https://a.example/keys' })).jwt?.algorithms).toEqual([
      'RS256',
      'ES256',
    ]);
    expect(configured(jwt({ jwks_url: 'http://127.0.0.1:1/keys' })).jwt?.clockSkew).toBe(30_000);
  });

  it.each([
    ['HS256 with a public key', { jwks: { keys: [RSA] }, algorithms: ['HS256'] }, 'jwt.algorithms'],
    [
      'HS256 with publicly fetched keys',
      { jwks_url: 'https://a.example/', algorithms: ['HS256'] },
      'jwt.algorithms',
    ],
    ['no algorithm at all', { jwks: { keys: [RSA] }, algorithms: [] }, 'jwt.algorithms'],
    ['the algorithm none', { jwks: { keys: [RSA] }, algorithms: ['none'] }, 'jwt.algorithms[0]'],
    ['a short secret', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }, 'jwt.jwks.keys[0]'],
    ['a private key', { jwks: { keys: [{ ...RSA, d: 'AAAA' }] } }, 'jwt.jwks.keys[0]'],
    ['no usable key', { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'A' }] } }, 'jwt.jwks'],
    ['an empty key set', { jwks: { keys: [] } }, 'jwt.jwks'],
    ['no keys', {}, 'jwt'],
    ['two sources of keys', { jwks: { keys: [RSA] }, jwks_url: 'https://a.example/' }, 'jwt'],
    ['keys over plain HTTP', { jwks_url: 'http://a.example/' }, 'jwt.jwks_url'],
    ['no audience', { jwks: { keys: [RSA] }, audience: [] }, 'jwt.audience'],
    ['a day of clock skew', { jwks: { keys: [RSA] }, clock_skew: '1d' }, 'jwt.clock_skew'],
  ])('reject %s', (_, more, path) => {
    expect(problemOf(`dev: true\n${jwt(more)}`).path).toBe(path);
  });
});
