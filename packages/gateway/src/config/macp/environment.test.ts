import { describe, expect, it } from 'vitest';
import { createToken, digestToken } from '../../token.js';
import { formatProblems } from '../read/problem.js';
import { configured, problemOf, problemsOf } from '../testing/configured.js';
import { VARIABLES, variableAboutCredentials } from './environment.js';

const FILE = `participants: { agent: { tokens: [${createToken().hash}] } }\nlisten: { http: 127.0.0.1:1 }\n`;
const fromEnv = (env: Record<string, string>) => configured(FILE, { env });

const KEYS = {
  keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'one' }],
};

describe('environment variables', () => {
  it('override the file', () => {
    const config = fromEnv({
      PROFFER_LISTEN_HTTP: '[::1]:9000',
      PROFFER_LIMITS_MESSAGE_SIZE: '2MiB',
      PROFFER_JOURNAL_BACKEND: 'memory',
      PROFFER_JWT_ISSUER: 'https://login.example.com',
      PROFFER_JWT_AUDIENCE: 'one,two',
      PROFFER_JWT_JWKS: JSON.stringify(KEYS),
      PROFFER_TLS_CERT: 'certs/a.crt',
      PROFFER_TLS_KEY: '/b.key',
    });
    expect(config.listen.http).toEqual({ host: '::1', port: 9000 });
    expect(config.limits.messageSize).toBe(2_097_152);
    expect(config.journal).toEqual({ backend: 'memory' });
    expect(config.jwt).toMatchObject({
      audience: ['one', 'two'],
      keys: { inline: KEYS.keys },
      algorithms: ['RS256'],
    });
    expect(config.tls).toEqual({ cert: 'certs/a.crt', key: '/b.key' });
  });

  it('are named after the path of their key', () => {
    for (const { name, path } of VARIABLES) expect(name).toBe(`PROFFER_${path.join('_').toUpperCase()}`);
    expect(new Set(VARIABLES.map(({ name }) => name)).size).toBe(VARIABLES.length);
    expect(VARIABLES.map(({ name }) => name)).toContain('PROFFER_DEV');
  });

  it('count as unset when empty, and those of other programs are ignored', () => {
    const env = {
      PROFFER_LISTEN_HTTP: '',
      PROFFER_TOKEN: 'x',
      PROFFER_URL: 'y',
      MACP_AUTH_SCOPES_JSON: '{}',
      PATH: '/',
    };
    expect(fromEnv(env).listen.http).toEqual({ host: '127.0.0.1', port: 1 });
  });

  it.each([
    [{ PROFFER_LIMITS_MESSAGE_SIZE: 'big' }, '$PROFFER_LIMITS_MESSAGE_SIZE', undefined],
    [{ PROFFER_LISTEN_HTPP: '127.0.0.1:1' }, '$PROFFER_LISTEN_HTPP', 'PROFFER_LISTEN_HTTP'],
    [{ PROFER_DEV: 'true', PROFFER_DVE: 'true' }, '$PROFFER_DVE', 'PROFFER_DEV'],
    [{ PROFFER_PARTICIPANTS: '{}' }, '$PROFFER_PARTICIPANTS', undefined],
    [
      { MACP_BIND_ADDRESS: '127.0.0.1:1', MACP_BIND_ADR: '', MACP_BIND_ADD: 'x' },
      '$MACP_BIND_ADD',
      'MACP_BIND_ADDR',
    ],
    [{ PROFFER_JWT_JWKS: '{"keys": [' }, '$PROFFER_JWT_JWKS', undefined],
  ])('are an error when invalid: %j', (env, source, suggestion) => {
    const problems = problemsOf(FILE, { env });
    expect(problems[0]).toMatchObject({ source, line: 1 });
    expect(problems[0]?.suggestion).toBe(suggestion);
  });

  it('are rejected when two set the same key', () => {
    const env = { PROFFER_LISTEN_GRPC: '127.0.0.1:2', MACP_BIND_ADDR: '127.0.0.1:3' };
    expect(problemOf(FILE, { env }).message).toMatch(/PROFFER_LISTEN_GRPC and MACP_BIND_ADDR/);
  });
});

describe('MACP environment variables', () => {
  const tokens = {
    tokens: [
      {
        token: 'tok-coordinator',
        sender: 'agent://coordinator',
        allowed_modes: ['macp.mode.proposal.v1'],
        can_start_sessions: true,
        max_open_sessions: 25,
        can_manage_mode_registry: true,
        act_as: ['buyer', 'seller'],
      },
      {
        token: 'tok-watcher',
        sender: 'watcher',
        allowed_modes: [],
        can_start_sessions: false,
        max_open_sessions: null,
        is_observer: true,
      },
    ],
  };

  it('N-7: a token list alone configures a gateway for negotiations; tokens are stored as hashes', () => {
    const config = configured('', { env: { MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens) } });
    expect(config.tokens).toEqual([
      {
        hash: digestToken('tok-coordinator').toString('hex'),
        participant: 'agent://coordinator',
        negotiation: {
          allowedModes: ['macp.mode.proposal.v1'],
          canStartSessions: true,
          maxOpenSessions: 25,
          canManageModeRegistry: true,
          isObserver: false,
          actAs: ['buyer', 'seller'],
        },
      },
      {
        hash: digestToken('tok-watcher').toString('hex'),
        participant: 'watcher',
        negotiation: { canStartSessions: false, canManageModeRegistry: false, isObserver: true, actAs: [] },
      },
    ]);
    expect(JSON.stringify(config.tokens)).not.toContain('tok-');
    const bare = configured('', { env: { MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens.tokens) } });
    expect(bare.tokens).toEqual(config.tokens);
    const file = configured('', {
      env: { MACP_AUTH_TOKENS_FILE: 'tokens.json' },
      macpTokensFile: JSON.stringify(tokens),
    });
    expect(file.tokens).toEqual(config.tokens);
  });

  it('accepts addresses, limits and JWT settings', () => {
    const config = configured('', {
      env: {
        MACP_BIND_ADDR: '0.0.0.0:50052',
        MACP_ALLOW_INSECURE: '1',
        MACP_MAX_PAYLOAD_BYTES: '2048',
        MACP_SESSION_START_LIMIT_PER_MINUTE: '7',
        MACP_MESSAGE_LIMIT_PER_MINUTE: '70',
        MACP_AUTH_ISSUER: 'https://issuer.example.com',
        MACP_AUTH_JWKS_URL: 'https://issuer.example.com/jwks.json',
      },
    });
    expect(config.listen).toMatchObject({ grpc: { host: '0.0.0.0', port: 50_052 }, allowInsecure: true });
    expect(config.limits).toMatchObject({
      negotiationPayloadSize: 2048,
      sessionStartsPerParticipant: { count: 7, period: 60_000 },
      negotiationMessagesPerParticipant: { count: 70, period: 60_000 },
    });
    expect(config.jwt).toMatchObject({
      issuer: 'https://issuer.example.com',
      audience: ['macp-runtime'],
      keys: { url: 'https://issuer.example.com/jwks.json' },
      algorithms: ['RS256', 'ES256'],
    });
    const env = { MACP_AUTH_ISSUER: 'i', MACP_AUTH_AUDIENCE: 'a', MACP_AUTH_JWKS_JSON: JSON.stringify(KEYS) };
    expect(configured('', { env }).jwt).toMatchObject({ audience: ['a'], algorithms: ['RS256'] });
  });

  it('accepts a certificate with its key, and how JWTs are verified', () => {
    const env = {
      MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens),
      MACP_BIND_ADDR: '0.0.0.0:50052',
      MACP_TLS_CERT_PATH: '/etc/macp/cert.pem',
      MACP_TLS_KEY_PATH: '/etc/macp/key.pem',
      MACP_AUTH_ISSUER: 'i',
      MACP_AUTH_JWKS_URL: 'https://issuer.example.com/jwks.json',
      MACP_AUTH_JWKS_TTL_SECS: '90',
      MACP_AUTH_JWT_ALGS: 'ES256, RS256',
    };
    const config = configured('', { env });
    expect(config.tls).toEqual({ cert: '/etc/macp/cert.pem', key: '/etc/macp/key.pem' });
    expect(config.jwt).toMatchObject({ cacheFor: 90_000, algorithms: ['ES256', 'RS256'] });
    const { MACP_TLS_KEY_PATH: _, ...half } = env;
    expect(problemsOf('', { env: half }).length).toBeGreaterThan(0);
  });

  it.each([
    ['MACP_POLICIES_DRY_RUN', 'names the file'],
    ['MACP_SESSION_RETENTION_SECS', 'PROFFER_JOURNAL_RETENTION'],
    ['MACP_RECEIPT_SIGNING_KEY', 'PROFFER_EVIDENCE_KEY'],
  ])('%s is never ignored: the error says what to do', (name, instead) => {
    const problem = problemOf(FILE, { env: { [name]: '1' } });
    expect(problem.source).toBe(`$${name}`);
    expect(problem.message.toLowerCase()).toContain(instead.toLowerCase());
    expect(configured(FILE, { env: { [name]: '' } })).toBeDefined();
  });

  it('N-30: MACP_METRICS_ADDR and MACP_POLICIES_DIR set their keys', () => {
    const env = { MACP_METRICS_ADDR: '127.0.0.1:9464', MACP_POLICIES_DIR: '/etc/macp/policies' };
    const { listen, negotiation } = configured(FILE, { env });
    expect(listen.metrics).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(negotiation.policies).toBe('/etc/macp/policies');
  });

  it('I-4: disabling TLS beside a file lets nobody in without a token', () => {
    const file = 'listen: { http: 127.0.0.1:1 }';
    expect(problemOf(file, { env: { MACP_ALLOW_INSECURE: '1' } }).message).toContain(
      'Nobody would be able to connect',
    );
  });

  it('N-7: MACP_ALLOW_INSECURE=1 alone is dev mode, for this machine only', () => {
    const env = { MACP_ALLOW_INSECURE: '1' };
    const config = configured('', { env });
    expect(config).toMatchObject({ dev: true, negotiation: { defaultPolicy: 'rfc-0008' } });
    expect(config.listen.http?.host).toBe('127.0.0.1');
    expect(problemsOf('', { env: { ...env, MACP_BIND_ADDR: '0.0.0.0:50051' } }).length).toBeGreaterThan(0);
    expect(configured('', { env: { ...env, MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens) } }).dev).toBe(
      false,
    );
    expect(problemsOf('', { env: { ...env, PROFFER_DEV: 'false' } }).length).toBeGreaterThan(0);
  });

  it('the journal is where MACP_DATA_DIR says, or in memory with MACP_MEMORY_ONLY=1', () => {
    expect(fromEnv({ MACP_DATA_DIR: '/var/macp' }).journal).toMatchObject({
      backend: 'local',
      path: '/var/macp',
    });
    expect(fromEnv({ MACP_MEMORY_ONLY: '1' }).journal).toEqual({ backend: 'memory' });
    expect(problemOf(FILE, { env: { MACP_MEMORY_ONLY: 'yes' } }).source).toBe('$MACP_MEMORY_ONLY');
  });

  it('MACP_MEMORY_ONLY changes no backend that the file names', () => {
    const file = (backend: string) => `${FILE}journal: { backend: ${backend} }\n`;
    expect(configured(file('memory'), { env: { MACP_MEMORY_ONLY: '0' } }).journal.backend).toBe('memory');
    expect(configured(file('memory'), { env: { MACP_MEMORY_ONLY: '1' } }).journal.backend).toBe('memory');
    const both = { MACP_MEMORY_ONLY: '0', PROFFER_JOURNAL_BACKEND: 'memory' };
    expect(fromEnv(both).journal.backend).toBe('memory');
    expect(fromEnv({ MACP_MEMORY_ONLY: '0' }).journal.backend).toBe('local');
    expect(problemOf(file('local'), { env: { MACP_MEMORY_ONLY: '1' } })).toMatchObject({
      source: '$MACP_MEMORY_ONLY',
      path: 'journal.backend',
    });
  });

  it.each([
    'MACP_AUTH_TOKENS_FILE',
    'MACP_AUTH_TOKENS_JSON',
    'MACP_TOKENS_FILE',
    'MACP_ISSUER',
    'MACP_ISUER',
    'MACP_AUHT_TOKNES',
    'MCAP_AUTH_ISSUER',
    'macp_auth_issuer',
    'MACP_AUTH_JWKS_URL',
    'PROFFER_JWT_ISSUER',
  ])('I-4: MACP_ALLOW_INSECURE=1 with an empty %s is not dev mode: nobody is let in', (name) => {
    const env = { MACP_ALLOW_INSECURE: '1', [name]: '' };
    expect(problemOf('', { env }).message).toContain('Nobody would be able to connect');
  });

  it('I-4: MACP_ALLOW_INSECURE=1 with a misspelt credential is not dev mode', () => {
    const env = { MACP_ALLOW_INSECURE: '1', MACP_TOKENS_FILE: '/tokens.json' };
    expect(problemOf('', { env }).message).toContain('Nobody would be able to connect');
    const harmless = { MACP_ALLOW_INSECURE: '1', MACP_DATA_DIR: '/var/macp', MACP_LOG_LEVEL: 'info' };
    expect(configured('', { env: harmless }).dev).toBe(true);
  });

  it('I-4: names the variable that was meant to say who may connect', () => {
    const env = { MACP_ALLOW_INSECURE: '1', MACP_DATA_DIR: '/var/macp', MACP_AUTH_JWT_ALG: 'RS256' };
    expect(variableAboutCredentials(env)).toBe('MACP_AUTH_JWT_ALG');
    expect(variableAboutCredentials({ ...env, MACP_AUTH_JWT_ALG: undefined })).toBeUndefined();
  });

  it.each([
    ['MACP_HTTP_BIND_ADDR', 'PROFFER_LISTEN_HTTP'],
    ['MACP_HTTP_CORS_ORIGINS', 'PROFFER_LISTEN_ALLOWED_ORIGINS'],
    ['MACP_HTTP_MAX_BODY_BYTES', 'MACP_MAX_PAYLOAD_BYTES'],
    ['MACP_HTTP_MAX_CONNECTIONS', 'PROFFER_LIMITS_CONNECTIONS_PER_TOKEN'],
    ['MACP_HTTP_PUBLIC_URL', '/macp/v1/'],
    ['MACP_AUDIT_INFO_MODES', 'remove'],
    ['MACP_AUDIT_INFO_POLICIES', 'remove'],
    ['MACP_REDIS_URL', 'PROFFER_JOURNAL_BACKEND'],
    ['MACP_ROCKSDB_PATH', 'PROFFER_JOURNAL_BACKEND'],
  ])(
    'N-30: %s of another runtime would have no effect, so it is refused with what to use instead',
    (name, instead) => {
      const { message } = problemOf('', { env: { MACP_ALLOW_INSECURE: '1', [name]: 'x' } });
      expect(message).toContain(instead);
      const used = /(?:PROFFER|MACP)_[A-Z_]+/g;
      const settings = message.match(used)?.filter((found) => found.startsWith('PROFFER_')) ?? [];
      for (const setting of settings) expect(VARIABLES.map((each) => each.name)).toContain(setting);
    },
  );

  it('I-4: MACP_ALLOW_INSECURE=1 with a file is not dev mode, whatever is in the file', () => {
    const env = { MACP_ALLOW_INSECURE: '1' };
    expect(problemOf('# participants:\n', { env }).message).toContain('Nobody would be able to connect');
    expect(problemOf('', { env, hasFile: true }).message).toContain('Nobody would be able to connect');
  });

  it('N-7: the subject of a JWT without macp_scopes may start sessions', () => {
    const env = {
      MACP_AUTH_ISSUER: 'https://issuer.example.com',
      MACP_AUTH_JWKS_URL: 'https://issuer.example.com/jwks.json',
    };
    const may = (more: Record<string, string> = {}) =>
      configured('', { env: { ...env, ...more } }).unlistedSubjects?.negotiation.canStartSessions;
    expect(may()).toBe(true);
    expect(may({ PROFFER_JWT_UNLISTED_SUBJECTS_NEGOTIATION_CAN_START_SESSIONS: 'false' })).toBe(false);
  });

  it('I-4: a secret in MACP_AUTH_JWKS_JSON verifies nothing unless MACP_AUTH_JWT_ALGS names HS256', () => {
    const secret = { kty: 'oct', k: 'A'.repeat(43) };
    const algorithms = (keys: readonly object[], more: Record<string, string> = {}) => {
      const env = { MACP_AUTH_ISSUER: 'i', MACP_AUTH_JWKS_JSON: JSON.stringify({ keys }), ...more };
      return { env };
    };
    expect(configured('', algorithms([...KEYS.keys, secret])).jwt?.algorithms).toEqual(['RS256']);
    expect(problemOf('', algorithms([secret])).message).toContain('MACP_AUTH_JWT_ALGS=HS256');
    const asked = { MACP_AUTH_JWT_ALGS: 'HS256' };
    expect(configured('', algorithms([secret], asked)).jwt?.algorithms).toEqual(['HS256']);
  });

  it.each([
    ['{"tokens": [{"token": "secret-1", "sender": "system:gateway"}]}', 'tokens[0].sender'],
    ['{"tokens": [{"token": "secret-1", "sender": "a", "act_as": ["_runtime"]}]}', 'tokens[0].act_as[0]'],
    ['{"tokens": [{"token": "secret-1", "sender": "a", "secret-key": 1}]}', 'tokens[0]'],
    ['{"tokens": [{"token": "secret-1", "sender": "a"}, {"token": "secret-1", "sender": "b"}]}', 'tokens[1]'],
    ['{"tokens": [{"sender": "a"}]}', 'tokens[0].token'],
    ['{"secret-1": "a"}', ''],
    ['"secret-1"', ''],
    ['[{"token": "secret-1" "sender"}]', ''],
  ])('an invalid token list is an error that shows no token: %s', (json, path) => {
    const problems = problemsOf('', { env: { MACP_AUTH_TOKENS_JSON: json } });
    expect(problems[0]).toMatchObject({ source: '$MACP_AUTH_TOKENS_JSON', line: 1, path });
    expect(formatProblems(problems)).not.toContain('secret-');
  });

  it('an unreadable token list, or two of them, is an error', () => {
    expect(problemOf(FILE, { env: { MACP_AUTH_TOKENS_FILE: 'gone.json' } }).source).toBe(
      '$MACP_AUTH_TOKENS_FILE',
    );
    const env = { MACP_AUTH_TOKENS_FILE: 'a.json', MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens) };
    expect(problemOf(FILE, { env, macpTokensFile: '[]' }).message).toContain('both');
  });
});
