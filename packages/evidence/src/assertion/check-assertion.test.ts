import { type Assertion, signingChallenge } from '@proffer/core/operations';
import { describe, expect, it } from 'vitest';
import { nativeAssertionCheck } from '../node/native.js';
import { type SoftCeremony, softEd25519, softPasskey } from '../testing/soft-keys.js';

const CONTENT = { at: 1_800_000_000_000, digests: [`sha256:${'a'.repeat(64)}`] };
const CHALLENGE = signingChallenge(CONTENT);
const check = nativeAssertionCheck();

describe('the signature of a decision', () => {
  it.each([
    ['an Ed25519 key', softEd25519()],
    ['a passkey', softPasskey()],
    ['a passkey on this machine', softPasskey('localhost', 'http://localhost:7420')],
  ])('O-49: is checked with %s, from the record alone', (_, { key, sign }) => {
    const assertion = sign(CONTENT);
    expect(check(assertion, key, CHALLENGE)).toBeUndefined();
    const later = signingChallenge({ ...CONTENT, at: CONTENT.at + 1 });
    expect(check(assertion, key, later)).toMatch(/did not sign this|signed something else/);
    expect(check(assertion, { ...key, jwk: softPasskey().key.jwk }, CHALLENGE)).toBe(
      'the key did not sign this',
    );
    expect(check(assertion, { ...key, jwk: {} }, CHALLENGE)).toBe('the key did not sign this');
  });

  it.each<readonly [string, SoftCeremony, RegExp]>([
    ['another challenge', { challenge: 'x' }, /signed something else/],
    ['another address', { origin: 'https://evil.example' }, /another address: https:\/\/evil\.example/],
    ['an address below the domain', { origin: 'https://a.approvals.example.com' }, /another address/],
    ['an address without TLS', { origin: 'http://approvals.example.com' }, /another address/],
    ['another domain', { domain: 'evil.example' }, /another domain/],
    ['nobody there', { flags: 0 }, /did not check who was there/],
    ['nobody verified', { flags: 1 }, /did not check who was there/],
    ['a frame in another page', { crossOrigin: true }, /inside a page of another site/],
    ['a registration', { type: 'webauthn.create' }, /not made to approve/],
  ])('O-49: by a passkey does not count with %s', (_, ceremony, why) => {
    const { key, sign } = softPasskey();
    expect(check(sign(CONTENT, ceremony), key, CHALLENGE)).toMatch(why);
  });

  it('O-49: that is damaged is not one', () => {
    const { key, sign } = softPasskey();
    const good = sign(CONTENT);
    const bad: readonly Partial<Assertion>[] = [
      { signature: 'a' },
      { clientDataJSON: 'e30' },
      { authenticatorData: 'AAAA' },
      { signature: good.signature.slice(0, -4) },
    ];
    for (const change of bad) expect(check({ ...good, ...change }, key, CHALLENGE)).toBeTypeOf('string');
    const { authenticatorData: _data, clientDataJSON: _client, ...bare } = good;
    expect(check(bare, key, CHALLENGE)).toBe('it is not that of a passkey');
  });

  it.each([
    ['0100000000000000000000000000000000000000000000000000000000000000'],
    ['0100000000000000000000000000000000000000000000000000000000000080'],
    ['26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'],
  ])('O-49: by a key with which anyone can sign anything does not count: %s', (point) => {
    const x = Buffer.from(point, 'hex').toString('base64url');
    const key = { type: 'ed25519', jwk: { kty: 'OKP', crv: 'Ed25519', x } } as const;
    // Valid for every text, to whoever checks no more than the equation.
    const signature = Buffer.from(`01${'00'.repeat(63)}`, 'hex').toString('base64url');
    expect(check({ ...CONTENT, key: x, signature }, key, CHALLENGE)).toBe('anyone can sign with this key');
  });

  it('O-49: counts only at the pages that the operator names, if any', () => {
    const strict = nativeAssertionCheck((origin) => origin === 'https://other.example');
    const { key, sign } = softPasskey();
    expect(strict(sign(CONTENT), key, CHALLENGE)).toMatch(/another address/);
  });
});
