import { describe, expect, it } from 'vitest';
import { configured, problemOf, problemsOf } from '../testing/configured.js';
import { NEGOTIATION_KEYS } from './negotiation-fields.js';

const HASH = `sha256:${'a'.repeat(64)}`;

function mayStart(participant: string): boolean | undefined {
  const config = configured(`participants: { one: { tokens: [${HASH}], ${participant} } }`);
  expect(config.tokens[0]?.negotiation).toEqual(config.participants.get('one')?.negotiation);
  return config.participants.get('one')?.negotiation.canStartSessions;
}

describe('right to start sessions', () => {
  it('N-3: follows from the capabilities by default', () => {
    expect(mayStart('spaces: { main: [chat.message] }')).toBe(false);
    expect(mayStart('spaces: { main: [mcp.response.*, mcpx.announce.*] }')).toBe(false);
    expect(mayStart('spaces: { main: [chat.message, mcp.proposal.*] }')).toBe(true);
    expect(mayStart('spaces: { main: ["*"] }')).toBe(true);
  });

  it('N-3: belongs to everyone without a space, who has nothing else to do', () => {
    expect(mayStart('observer: false')).toBe(true);
  });

  it('N-3: is as configured', () => {
    expect(mayStart('spaces: { main: [chat.message] }, negotiation: { can_start_sessions: true }')).toBe(
      true,
    );
    expect(mayStart('spaces: { main: ["*"] }, negotiation: { can_start_sessions: false }')).toBe(false);
  });
});

describe('subjects that are not participants', () => {
  const jwt = (unlisted: string) =>
    `jwt: { issuer: https://a.example, audience: b, jwks_url: https://a.example/k, unlisted_subjects: ${unlisted} }`;

  it('I-4: get nothing unless configured', () => {
    expect(configured(jwt('')).unlistedSubjects).toMatchObject({
      claims: [],
      macpScopes: [],
      observer: false,
      negotiation: { canStartSessions: false },
    });
    const without = 'jwt: { issuer: https://a.example, audience: b, jwks_url: https://a.example/k }';
    expect(configured(without).unlistedSubjects).toBeUndefined();
  });

  it('I-4: an unknown space is a problem, as with participants', () => {
    expect(problemOf(jwt('{ spaces: { mian: ["*"] } }'))).toMatchObject({
      path: 'jwt.unlisted_subjects.spaces.mian',
      suggestion: 'main',
    });
  });

  it.each([
    ['claims: true', 'claims', undefined, 'a list of claims such as'],
    ['claims: [{ claim: groups, has: a }]', 'claims[0]', undefined, 'grants nothing'],
    ['claims: [{ claim: groups, roles: [a] }]', 'claims[0].has', undefined, 'missing'],
    ['claims: [{ claim: [], has: a, roles: [a] }]', 'claims[0].claim', undefined, 'at least one'],
    ['claims: [{ claim: groups, has: a, role: [a] }]', 'claims[0].role', 'roles', 'Unknown key'],
    ['claims: [{ claim: groups, has: a, spaces: { mian: ["*"] } }]', 'claims[0].spaces.mian', 'main', 'mian'],
    [
      'claims: [{ claim: groups, has: a, subject: x, roles: [a] }]',
      'claims[0].subject',
      undefined,
      'Unknown key',
    ],
    ['macp_scopes: [can_start_session]', 'macp_scopes[0]', 'can_start_sessions', 'one of'],
    ['subject: ann@example.com', 'subject', undefined, 'subject_claim'],
  ])('I-4: %s is a problem', (written, path, suggestion, message) => {
    const [problem] = problemsOf(jwt(`{ ${written} }`));
    expect(problem).toMatchObject({ path: `jwt.unlisted_subjects.${path}`, line: 1 });
    expect(problem?.suggestion).toBe(suggestion);
    expect(problem?.message).toContain(message);
  });

  it('I-4: get what their issuer says with only MACP runtime variables', () => {
    const env = { MACP_AUTH_ISSUER: 'https://a.example', MACP_AUTH_JWKS_URL: 'https://a.example/k' };
    expect(configured('', { env }).unlistedSubjects).toMatchObject({
      claims: [],
      macpScopes: NEGOTIATION_KEYS,
      negotiation: { canStartSessions: true, canManageModeRegistry: false, isObserver: false, actAs: [] },
    });
    expect(configured('spaces: { main: }', { env }).unlistedSubjects).toBeUndefined();
    const narrower = { PROFFER_JWT_UNLISTED_SUBJECTS_NEGOTIATION_CAN_START_SESSIONS: 'false' };
    expect(configured('', { env: { ...env, ...narrower } }).unlistedSubjects).toMatchObject({
      macpScopes: NEGOTIATION_KEYS,
      negotiation: { canStartSessions: false },
    });
  });
});
