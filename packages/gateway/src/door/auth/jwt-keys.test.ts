import type { JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { configured } from '../../config/testing/configured.js';
import { createAuthenticator } from './authenticator.js';
import { refusalOf } from './testing/expecting.js';
import { createIssuerKey, NOW, signWith, startKeyServer } from './testing/issuer.js';

const first = await createIssuerKey('RS256', 'first');
const second = await createIssuerKey('ES256', 'second');
const lasting = { sub: 'agent', exp: NOW / 1000 + 36_000 };
const OTHER_TOKENS = JSON.stringify([{ token: 'other', sender: 'other' }]);
const setOf = (...keys: readonly JWK[]) => ({ status: 200, body: JSON.stringify({ keys }) });

/** An authenticator with a manual clock and keys at an address, which answers in this time. */
function fetching(url: string, timeout = '1m') {
  const clock = { now: NOW };
  const text = `
participants: { agent: }
jwt: { issuer: "https://issuer.example", audience: proffer, jwks_url: "${url}", cache_for: 10m, cooldown: 30s, timeout: ${timeout} }
`;
  const read = () => configured(text);
  const { authenticate, reload } = createAuthenticator(read(), () => clock.now);
  const revokeJwt = () => reload(configured('dev: false', { env: { MACP_AUTH_TOKENS_JSON: OTHER_TOKENS } }));
  return { clock, authenticate, reload: () => reload(read()), revokeJwt };
}

describe('keys from an address', () => {
  it('O-2: are fetched once and used while they are valid', async () => {
    await using server = await startKeyServer([first.jwk]);
    const { clock, authenticate, reload } = fetching(server.url);
    const token = await first.sign(lasting);
    const results = await Promise.all(Array.from({ length: 20 }, () => authenticate(token)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(server.asked()).toBe(1);
    clock.now += 599_999;
    reload();
    expect((await authenticate(token)).ok).toBe(true);
    expect(server.asked()).toBe(1);
    clock.now += 1;
    expect((await authenticate(token)).ok).toBe(true);
    expect(server.asked()).toBe(2);
  });

  it('O-2: a new key is found, but made-up ones do not cause repeated fetches', async () => {
    await using server = await startKeyServer([first.jwk]);
    const { clock, authenticate } = fetching(server.url);
    expect((await authenticate(await first.sign(lasting))).ok).toBe(true);
    server.answer = setOf(first.jwk, second.jwk);
    const token = await second.sign(lasting);
    expect(refusalOf(await authenticate(token)).code).toBe('unauthenticated');
    expect(server.asked()).toBe(1);
    clock.now += 30_000;
    expect((await authenticate(token)).ok).toBe(true);
    expect(server.asked()).toBe(2);
    for (let index = 0; index < 10; index++) {
      expect((await authenticate(await first.sign(lasting, { kid: `made-up-${index}` }))).ok).toBe(false);
    }
    expect(server.asked()).toBe(2);
  });

  it('I-4: a key revoked by the issuer is not used after the cache expires', async () => {
    await using server = await startKeyServer([first.jwk]);
    const { clock, authenticate } = fetching(server.url);
    const token = await first.sign(lasting);
    expect((await authenticate(token)).ok).toBe(true);
    server.answer = setOf(second.jwk);
    clock.now += 600_000;
    expect(refusalOf(await authenticate(token)).code).toBe('unauthenticated');
  });

  it('I-7: an issuer that does not answer is asked once per cooldown, and nobody waits beyond the timeout', async () => {
    await using server = await startKeyServer([first.jwk]);
    server.answer = 'silence';
    const { authenticate } = fetching(server.url, '500ms');
    const token = await first.sign(lasting);
    const results = await Promise.all(Array.from({ length: 5 }, () => authenticate(token)));
    for (const result of [...results, await authenticate(token)])
      expect(refusalOf(result).code).toBe('unavailable');
    expect(server.asked()).toBe(1);
  });

  it('I-7: an issuer that did not answer is asked again after the cooldown', async () => {
    await using server = await startKeyServer([first.jwk]);
    server.answer = { status: 503, body: '' };
    const { clock, authenticate } = fetching(server.url);
    const token = await first.sign(lasting);
    for (let time = 0; time < 2; time++)
      expect(refusalOf(await authenticate(token)).code).toBe('unavailable');
    expect(server.asked()).toBe(1);
    server.answer = setOf(first.jwk);
    clock.now += 30_000;
    expect((await authenticate(token)).ok).toBe(true);
  });

  it('are used for a limited time while the issuer is unreachable', async () => {
    await using server = await startKeyServer([first.jwk]);
    const { clock, authenticate } = fetching(server.url);
    const token = await first.sign(lasting);
    expect((await authenticate(token)).ok).toBe(true);
    server.answer = { status: 503, body: '' };
    clock.now += 600_000;
    expect((await authenticate(token)).ok).toBe(true);
    clock.now += 600_000;
    expect(refusalOf(await authenticate(token)).code).toBe('unavailable');
  });

  it('I-4: a token revoked while its keys are being fetched does not get in', async () => {
    await using server = await startKeyServer([]);
    let release: (answer: ReturnType<typeof setOf>) => void = () => undefined;
    server.answer = new Promise((resolve) => {
      release = resolve;
    });
    const { authenticate, revokeJwt } = fetching(server.url);
    const entering = authenticate(await first.sign(lasting));
    revokeJwt();
    release(setOf(first.jwk));
    expect(refusalOf(await entering).code).toBe('unauthenticated');
  });

  it.each([
    ['an error', { status: 500, body: '{}' }],
    ['a redirect', { status: 302, body: '' }],
    ['something that is not JSON', { status: 200, body: '<html>' }],
    ['something that is not a key set', { status: 200, body: '{"keys": 1}' }],
    ['far too much', { status: 200, body: JSON.stringify({ keys: [], more: 'x'.repeat(2_000_000) }) }],
  ])('I-4: %s instead of keys lets nobody in', async (_, answer) => {
    await using server = await startKeyServer([first.jwk]);
    server.answer = answer;
    const refusal = refusalOf(await fetching(server.url).authenticate(await first.sign(lasting)));
    expect(refusal.code).toBe('unavailable');
    expect(refusal.message).not.toContain(server.url);
  });

  it('O-2: a publicly fetched secret is not accepted', async () => {
    const secret = new Uint8Array(32).fill(9);
    await using server = await startKeyServer([{ kty: 'oct', k: Buffer.from(secret).toString('base64url') }]);
    const token = await signWith(secret, { alg: 'HS256' }, lasting);
    expect(refusalOf(await fetching(server.url).authenticate(token)).code).toBe('unauthenticated');
  });
});
