import { describe, expect, it } from 'vitest';
import { NEGOTIATION_KEYS } from '../../config/fields/negotiation-fields.js';
import { configured } from '../../config/testing/configured.js';
import { createAuthenticator } from './authenticator.js';
import { refusalOf, valueOf } from './testing/expecting.js';
import { createIssuerKey, NOW } from './testing/issuer.js';

const rsa = await createIssuerKey('RS256', 'rsa');

function authenticator(more: object) {
  const keys = { issuer: 'https://issuer.example', audience: 'proffer', jwks: { keys: [rsa.jwk] } };
  const yaml = `
spaces: { main: , lab: }
capabilities: { proposer: [mcp.proposal.*] }
participants: { agent: { spaces: { main: proposer } } }
jwt: ${JSON.stringify({ ...keys, ...more })}
`;
  return createAuthenticator(configured(yaml), () => NOW);
}

describe('claims of a JWT', () => {
  const CLAIMS = {
    proffer: {
      spaces: { main: ['*'], lab: ['*'] },
      observer: true,
      runs_own_calls: true,
      roles: ['finance'],
      subject: 'someone@example.com',
      works_for: 'nobody',
    },
    macp_scopes: { can_start_sessions: true, is_observer: true, act_as: ['buyer'] },
    groups: ['reviewers'],
    realm_access: { roles: ['finance'] },
    email: 'mallory@example.com',
  };
  const EVERYTHING = {
    claims: [{ claim: 'groups', has: 'reviewers', spaces: { main: ['*'] }, roles: ['admin'] }],
    macp_scopes: NEGOTIATION_KEYS,
    subject_claim: 'email',
  };
  const unlisted = (unlisted_subjects: object) => authenticator({ unlisted_subjects });
  const identity = async (unlisted_subjects: object, claims: object) =>
    valueOf(await unlisted(unlisted_subjects).authenticate(await rsa.sign({ sub: 'carol', ...claims })));
  const refusal = async (unlisted_subjects: object, claims: object) =>
    refusalOf(await unlisted(unlisted_subjects).authenticate(await rsa.sign({ sub: 'carol', ...claims })));

  it('I-4, O-30: add nothing to a participant that the configuration lists', async () => {
    const plain = valueOf(await unlisted({}).authenticate(await rsa.sign({ sub: 'agent' })));
    for (const rights of [{}, EVERYTHING]) {
      const { authenticate } = unlisted(rights);
      expect(valueOf(await authenticate(await rsa.sign({ sub: 'agent', ...CLAIMS })))).toEqual(plain);
      // Malformed ones are not even read.
      const wrong = { sub: 'agent', proffer: 7, macp_scopes: 'all', email: {} };
      expect(valueOf(await authenticate(await rsa.sign(wrong)))).toEqual(plain);
    }
    expect(plain).not.toHaveProperty('subject');
  });

  it('I-4: grant nothing to others unless the configuration says what', async () => {
    const found = await identity({}, CLAIMS);
    expect(found).toEqual({ ...(await identity({}, {})), name: 'carol' });
    expect(found).toMatchObject({ roles: [], isObserver: false, runsOwnCalls: false });
    expect(found.spaces.size).toBe(0);
    expect(found).not.toHaveProperty('subject');
  });

  it('I-4: grant what the configuration says, value by value', async () => {
    const rights = {
      spaces: { main: ['chat.message'] },
      roles: ['staff'],
      claims: [
        {
          claim: 'groups',
          has: 'reviewers',
          spaces: { main: 'proposer', lab: ['*'] },
          roles: ['staff', 'it'],
        },
        { claim: ['realm_access', 'roles'], has: 'finance', roles: ['finance'], observer: true },
        { claim: 'role', has: 'guard', runs_own_calls: true },
        { claim: 'role', has: 'device', spaces: { lab: ['chat.message'] }, review_only: true },
      ],
    };
    const one = await identity(rights, { groups: ['x', 'reviewers'], role: 'guard' });
    expect([...one.spaces].map(([space, { sources }]) => [space, sources])).toEqual([
      ['main', ['chat.message', 'mcp.proposal.*']],
      ['lab', ['*']],
    ]);
    expect(one).toMatchObject({ roles: ['staff', 'it'], runsOwnCalls: true, isObserver: false });
    const other = await identity(rights, { realm_access: { roles: ['finance'] }, role: 'device' });
    expect(other).toMatchObject({ roles: ['staff', 'finance'], isObserver: true, reviewOnly: true });
    for (const claims of [
      { groups: 'not reviewers' },
      { groups: ['Reviewers', 'reviewers '] },
      { groups: { reviewers: true } },
      { groups: [['reviewers']] },
      { 'realm_access.roles': ['finance'] },
      { role: true, proffer: { spaces: { lab: ['*'] } } },
    ]) {
      const nothing = await identity(rights, claims);
      expect(nothing).toMatchObject({ roles: ['staff'], isObserver: false, runsOwnCalls: false });
      expect([...nothing.spaces.keys()]).toEqual(['main']);
    }
  });

  it('I-4: of MACP count flag by flag', async () => {
    const scopes = {
      can_start_sessions: true,
      is_observer: true,
      max_open_sessions: 2,
      act_as: ['buyer'],
      more: 1,
    };
    const may = async (macp_scopes: readonly string[], claim: unknown = scopes) =>
      (await identity({ macp_scopes, negotiation: { max_open_sessions: 9 } }, { macp_scopes: claim }))
        .negotiation;
    expect(await may([])).toMatchObject({
      mayStartSessions: false,
      isObserver: false,
      actAs: [],
      maxOpenSessions: 9,
    });
    expect(await may(['can_start_sessions'])).toMatchObject({
      mayStartSessions: true,
      isObserver: false,
      actAs: [],
    });
    expect(await may(NEGOTIATION_KEYS)).toEqual({
      name: 'carol',
      actAs: ['buyer'],
      mayStartSessions: true,
      mayManageModes: false,
      isObserver: true,
      maxOpenSessions: 2,
    });
    expect(await may(NEGOTIATION_KEYS, null)).toMatchObject({ mayStartSessions: false, maxOpenSessions: 9 });
  });

  it('N-7: let nobody speak for a name in the configuration', async () => {
    for (const name of ['agent', 'Agent', '\u{430}gent']) {
      const claims = { macp_scopes: { act_as: ['buyer', name] } };
      expect((await refusal({ macp_scopes: ['act_as'] }, claims)).details).toMatchObject({
        claim: 'macp_scopes',
        name,
      });
      expect((await identity({ macp_scopes: ['is_observer'] }, claims)).negotiation.actAs).toEqual([]);
    }
  });

  it('I-4: add nothing to a sender of a MACP token list', async () => {
    const env = {
      MACP_AUTH_ISSUER: 'https://issuer.example',
      MACP_AUTH_AUDIENCE: 'proffer',
      MACP_AUTH_JWKS_JSON: JSON.stringify({ keys: [rsa.jwk] }),
      MACP_AUTH_TOKENS_JSON: JSON.stringify([{ token: 't', sender: 'buyer', can_start_sessions: false }]),
    };
    const { authenticate } = createAuthenticator(configured('', { env }), () => NOW);
    const macp_scopes = { can_start_sessions: true };
    const may = async (sub: string) =>
      valueOf(await authenticate(await rsa.sign({ sub, macp_scopes }))).negotiation.mayStartSessions;
    expect(await may('seller')).toBe(true);
    expect(await may('buyer')).toBe(false);
    expect(refusalOf(await authenticate(await rsa.sign({ sub: 'Buyer' }))).details['reason']).toBe(
      'lookalike',
    );
    const acting = await rsa.sign({ sub: 'seller', macp_scopes: { act_as: ['buyer'] } });
    expect(refusalOf(await authenticate(acting)).details).toMatchObject({
      claim: 'macp_scopes',
      name: 'buyer',
    });
  });

  it('I-4: leave a sender of a MACP token list what all its tokens allow', async () => {
    const [decision, task, quorum] = ['decision', 'task', 'quorum'].map((mode) => `macp.mode.${mode}.v1`);
    const list = [
      { token: 'a', sender: 'buyer', allowed_modes: [decision, task], max_open_sessions: 5 },
      { token: 'b', sender: 'buyer', allowed_modes: [task, quorum], max_open_sessions: 2 },
      { token: 'c', sender: 'seller', allowed_modes: [decision] },
      { token: 'd', sender: 'seller', allowed_modes: [quorum] },
      { token: 'e', sender: 'broker' },
    ];
    const env = {
      MACP_AUTH_ISSUER: 'https://issuer.example',
      MACP_AUTH_AUDIENCE: 'proffer',
      MACP_AUTH_JWKS_JSON: JSON.stringify({ keys: [rsa.jwk] }),
      MACP_AUTH_TOKENS_JSON: JSON.stringify(list),
    };
    const { authenticate } = createAuthenticator(configured('', { env }), () => NOW);
    const macp_scopes = { allowed_modes: ['*'], max_open_sessions: 100, is_observer: true };
    const flags = async (sub: string) =>
      valueOf(await authenticate(await rsa.sign({ sub, macp_scopes }))).negotiation;
    expect(await flags('buyer')).toMatchObject({
      mayStartSessions: true,
      allowedModes: [task],
      maxOpenSessions: 2,
    });
    expect((await flags('seller')).allowedModes).toEqual([]);
    expect(await flags('broker')).not.toHaveProperty('allowedModes');
  });

  it('O-30: identify the person by `sub`, or by the configured claim', async () => {
    expect(await identity({}, CLAIMS)).not.toHaveProperty('subject');
    const rights = { subject_claim: 'email', works_for_claim: ['act', 'sub'] };
    const found = await identity(rights, { ...CLAIMS, act: { sub: 'ann' } });
    expect(found).toMatchObject({ subject: 'mallory@example.com', worksFor: 'ann' });
    expect(await identity(rights, CLAIMS)).not.toHaveProperty('worksFor');
    for (const email of [undefined, '', 7, ['a@b']])
      expect((await refusal(rights, { email })).details).toEqual({ claim: 'email' });
    expect((await refusal(rights, { ...CLAIMS, act: { sub: 7 } })).details).toEqual({ claim: 'act.sub' });
  });

  it.each([
    ['a flag that is text', { can_start_sessions: 'false' }, 'macp_scopes.can_start_sessions'],
    ['someone who cannot be spoken for', { act_as: ['_runtime'] }, 'macp_scopes.act_as[0]'],
    ['no section', 'all', 'macp_scopes'],
  ])(
    'I-4: are refused with %s in macp_scopes, if the configuration lets it count',
    async (_, macp_scopes, field) => {
      expect((await refusal({ macp_scopes: NEGOTIATION_KEYS }, { macp_scopes })).details['field']).toBe(
        field,
      );
      expect((await identity({}, { macp_scopes })).negotiation.mayStartSessions).toBe(false);
    },
  );

  it('I-4: are refused with more nesting than a message may have', async () => {
    const deep = JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown;
    expect((await refusal({}, { deep })).code).toBe('unauthenticated');
  });
});
