import { checkSender } from '@proffer/core/negotiation';
import { type CryptoKey, exportSPKI, generateKeyPair, type JWK, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { configured } from '../../config/testing/configured.js';
import { createToken } from '../../token.js';
import { createAuthenticator } from './authenticator.js';
import { refusalOf, valueOf } from './testing/expecting.js';
import { createIssuerKey, NOW, signWith } from './testing/issuer.js';

const rsa = await createIssuerKey('RS256', 'rsa');
const ec = await createIssuerKey('ES256', 'ec');
const stranger = await createIssuerKey('RS256', 'rsa');
const secret = new Uint8Array(32).fill(7);
const secretKey: JWK = { kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid: 'secret' };

const settings = (keys: readonly JWK[], more: object = {}) =>
  JSON.stringify({ issuer: 'https://issuer.example', audience: 'proffer', jwks: { keys }, ...more });

const FILE = (jwt: string) => `
spaces: { main: , lab: }
capabilities: { proposer: [mcp.proposal.*] }
participants:
  agent: { spaces: { main: proposer }, negotiation: { can_start_sessions: false } }
jwt: ${jwt}
`;

function authenticator(jwt = settings([rsa.jwk, ec.jwk]), now = () => NOW) {
  return createAuthenticator(configured(FILE(jwt)), now);
}

describe('JWT', () => {
  it('O-2, N-7: identifies its subject, with the rights from the configuration', async () => {
    const { authenticate } = authenticator();
    for (const key of [rsa, ec]) {
      const identity = valueOf(await authenticate(await key.sign({ sub: 'agent' })));
      expect(identity).toMatchObject({ name: 'agent', credential: 'jwt:agent', expiresAt: NOW + 90_000 });
      expect(identity.spaces.get('main')?.sources).toEqual(['mcp.proposal.*']);
      expect(identity.negotiation.mayStartSessions).toBe(false);
      expect(checkSender(identity.negotiation, 'other')?.code).toBe('UNAUTHENTICATED');
    }
  });

  it('I-4: gives a subject that is not a participant nothing, whatever it claims', async () => {
    const claims = { proffer: { spaces: { main: ['*'] } }, macp_scopes: { can_start_sessions: true } };
    const refusal = refusalOf(
      await authenticator().authenticate(await rsa.sign({ sub: 'somebody', ...claims })),
    );
    expect(refusal).toMatchObject({ code: 'unauthenticated', details: { claim: 'sub', reason: 'unlisted' } });
    expect(refusal.message).toContain('jwt.unlisted_subjects');
  });

  it('I-4: gives a subject that is not a participant exactly what the configuration grants', async () => {
    const unlisted_subjects = { spaces: { main: ['chat.message'] } };
    const { authenticate } = authenticator(settings([rsa.jwk], { unlisted_subjects }));
    const claims = { proffer: { spaces: { lab: ['*'] } }, macp_scopes: { can_start_sessions: true } };
    const identity = valueOf(await authenticate(await rsa.sign({ sub: 'somebody', ...claims })));
    expect([...identity.spaces.keys()]).toEqual(['main']);
    expect(identity.negotiation.mayStartSessions).toBe(false);
  });

  it.each(['Agent', '\u{430}gent', 'p\u{430}yments'])(
    'N-7: is refused for the subject %s, which looks like another name',
    async (sub) => {
      const unlisted_subjects = { negotiation: { can_start_sessions: true } };
      const { authenticate } = authenticator(settings([rsa.jwk], { unlisted_subjects }));
      const refusal = refusalOf(await authenticate(await rsa.sign({ sub })));
      expect(refusal.details).toEqual({ claim: 'sub', reason: 'lookalike' });
      expect((await authenticate(await rsa.sign({ sub: 'somebody' }))).ok).toBe(true);
    },
  );

  it.each([
    ['another issuer', { iss: 'https://other.example' }, 'iss'],
    ['another audience', { aud: 'other' }, 'aud'],
    ['no audience', { aud: undefined }, 'aud'],
    ['no expiry', { exp: undefined }, 'exp'],
    ['no subject', { sub: undefined }, 'sub'],
    ['a subject that is the gateway', { sub: 'system:gateway' }, 'sub'],
    ['a subject that is the runtime', { sub: '_runtime' }, 'sub'],
    ['an expiry beyond the skew', { exp: NOW / 1000 - 31 }, 'exp'],
    ['a start beyond the skew', { nbf: NOW / 1000 + 31 }, 'nbf'],
  ])('O-2: is refused with %s', async (_, claims, claim) => {
    const token = await rsa.sign({ sub: 'agent', ...claims });
    const refusal = refusalOf(await authenticator().authenticate(token));
    expect(refusal).toMatchObject({ code: 'unauthenticated', details: { claim } });
    for (const part of token.split('.')) expect(JSON.stringify(refusal)).not.toContain(part);
  });

  it('is valid within the clock skew', async () => {
    const { authenticate } = authenticator();
    expect((await authenticate(await rsa.sign({ sub: 'agent', exp: NOW / 1000 - 29 }))).ok).toBe(true);
    expect((await authenticate(await rsa.sign({ sub: 'agent', nbf: NOW / 1000 + 29 }))).ok).toBe(true);
    expect((await authenticate(await rsa.sign({ sub: 'agent', aud: ['other', 'proffer'] }))).ok).toBe(true);
  });

  it('O-2: is refused if someone else signed it, or it was changed', async () => {
    const { authenticate } = authenticator();
    expect(refusalOf(await authenticate(await stranger.sign({ sub: 'agent' }))).details).toEqual({
      reason: 'signature',
    });
    const [header, , signature] = (await rsa.sign({ sub: 'agent' })).split('.');
    const [, forged] = (await rsa.sign({ sub: 'reviewer' })).split('.');
    expect((await authenticate(`${header}.${forged}.${signature}`)).ok).toBe(false);
    const missing = refusalOf(await authenticate(await rsa.sign({ sub: 'agent' }, { kid: 'gone' })));
    expect(missing.message).toContain('key that its issuer does not publish');
  });

  it('tries each possible key if it names none', async () => {
    const { authenticate } = authenticator(settings([stranger.jwk, ec.jwk, rsa.jwk]));
    const sign = (key: CryptoKey) => signWith(key, { alg: 'RS256' }, { sub: 'agent' });
    expect((await authenticate(await sign(rsa.privateKey))).ok).toBe(true);
    const { privateKey } = await generateKeyPair('RS256');
    expect(refusalOf(await authenticate(await sign(privateKey))).details).toEqual({ reason: 'signature' });
  });
});

describe('algorithms', () => {
  it('O-2: a token without a signature is refused', async () => {
    const { authenticate } = authenticator();
    const unsigned = new UnsecuredJWT({ sub: 'agent', aud: 'proffer', iss: 'https://issuer.example' })
      .setExpirationTime(NOW / 1000 + 60)
      .encode();
    expect(refusalOf(await authenticate(unsigned)).code).toBe('unauthenticated');
  });

  it('O-2: a public key is never used as a secret', async () => {
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const texts = [await exportSPKI(publicKey), JSON.stringify(rsa.jwk), rsa.jwk.n ?? ''];
    const both = settings([rsa.jwk, secretKey]);
    for (const jwt of [settings([rsa.jwk]), both]) {
      const { authenticate } = authenticator(jwt);
      for (const text of texts) {
        const forged = await signWith(
          new TextEncoder().encode(text),
          { alg: 'HS256', kid: 'rsa' },
          { sub: 'agent' },
        );
        expect(refusalOf(await authenticate(forged)).code).toBe('unauthenticated');
      }
    }
  });

  it('O-2: a secret may be in padded base64 from other tools', async () => {
    const bytes = new Uint8Array(33).fill(251);
    const token = await signWith(bytes.slice(0, 32), { alg: 'HS256', kid: 'secret' }, { sub: 'agent' });
    const padded = Buffer.from(bytes.slice(0, 32)).toString('base64');
    expect(padded).toMatch(/[+/].*=$/);
    const { authenticate } = authenticator(settings([{ kty: 'oct', k: padded, kid: 'secret' }]));
    expect(valueOf(await authenticate(token)).name).toBe('agent');
  });

  it('O-2: a secret in the configuration verifies HS256 and nothing else', async () => {
    const token = await signWith(secret, { alg: 'HS256', kid: 'secret' }, { sub: 'agent' });
    expect(valueOf(await authenticator(settings([secretKey])).authenticate(token)).name).toBe('agent');
    expect(
      (await authenticator(settings([rsa.jwk, secretKey], { algorithms: ['RS256'] })).authenticate(token)).ok,
    ).toBe(false);
    const other = await signWith(
      new Uint8Array(32).fill(8),
      { alg: 'HS256', kid: 'secret' },
      { sub: 'agent' },
    );
    expect((await authenticator(settings([secretKey])).authenticate(other)).ok).toBe(false);
  });

  it('O-2: only configured algorithms are accepted', async () => {
    const { authenticate } = authenticator(settings([rsa.jwk, ec.jwk], { algorithms: ['ES256'] }));
    const refusal = refusalOf(await authenticate(await rsa.sign({ sub: 'agent' })));
    expect(refusal.details).toEqual({ expected: ['ES256'] });
    expect((await authenticate(await ec.sign({ sub: 'agent' }))).ok).toBe(true);
  });

  it('O-2: a key for another purpose is not used', async () => {
    for (const more of [{ use: 'enc' }, { alg: 'RS512' }]) {
      const { authenticate } = authenticator(settings([{ ...rsa.jwk, ...more }]));
      expect((await authenticate(await rsa.sign({ sub: 'agent' }))).ok).toBe(false);
    }
  });
});

describe('order of credentials', () => {
  it('N-7: a recognised but refused JWT is not taken as a name in dev mode', async () => {
    const config = configured(`dev: true\n${FILE(settings([rsa.jwk]))}`);
    const { authenticate } = createAuthenticator(config, () => NOW);
    const expired = await rsa.sign({ sub: 'agent', exp: NOW / 1000 - 100 });
    expect(refusalOf(await authenticate(expired)).message).toContain('expired');
    expect(refusalOf(await authenticate(createToken().token)).message).toContain('revoked');
    expect(valueOf(await authenticate('anybody')).name).toBe('anybody');
  });
});

describe('JWT of a connected participant', () => {
  it('I-4: ends when it expires', async () => {
    let now = NOW;
    const { authenticate, current } = authenticator(settings([rsa.jwk]), () => now);
    const identity = valueOf(await authenticate(await rsa.sign({ sub: 'agent' })));
    now = NOW + 89_999;
    expect(valueOf(current(identity))).toBe(identity);
    now = NOW + 90_000;
    expect(refusalOf(current(identity)).details).toMatchObject({ reason: 'expired' });
  });

  it('I-4: follows the rights of its subject, and ends when the issuer or its keys change', async () => {
    const { authenticate, current, reload } = authenticator();
    const identity = valueOf(await authenticate(await rsa.sign({ sub: 'agent' })));
    const same = FILE(settings([rsa.jwk, ec.jwk]));
    reload(configured(same.replace('mcp.proposal.*', 'chat.message')));
    const after = valueOf(current(identity));
    expect(after.spaces.get('main')?.sources).toEqual(['chat.message']);
    reload(configured(FILE(settings([ec.jwk]))));
    expect(refusalOf(current(after)).details).toMatchObject({ reason: 'revoked' });
  });
});
