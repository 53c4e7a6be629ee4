import { describe, expect, it } from 'vitest';
import { createToken } from '../token.js';
import { formatProblems } from './read/problem.js';
import { configured, problemOf, problemsOf } from './testing/configured.js';

const { token, hash } = createToken();

const SMALL = `
spaces:
  main: { max_ttl: 7d, default_ttl: 90s, visibility: addressed }
  lab:
capabilities:
  proposer: [mcp.proposal.*, chat.message]
participants:
  agent:
    tokens: [${hash}]
    spaces:
      main: proposer
      lab: ["*", { kind: mcp.request.tools/call, payload: { params: { name: read_* } } }]
  42:
    observer: true
`;

describe('configuration', () => {
  it('I-4: says who may enter which space with which capabilities', () => {
    const config = configured(SMALL);
    const agent = config.participants.get('agent');
    expect(agent?.spaces.get('main')?.map(({ source }) => source)).toEqual([
      'mcp.proposal.*',
      'chat.message',
    ]);
    expect(agent?.spaces.get('lab')).toHaveLength(2);
    expect(config.participants.get('42')).toMatchObject({ observer: true });
    expect(config.tokens).toMatchObject([{ hash: hash.slice('sha256:'.length), participant: 'agent' }]);
  });

  it('fills in defaults', () => {
    const config = configured(SMALL);
    expect(config.spaces.get('main')).toEqual({
      name: 'main',
      maxTtl: 604_800_000,
      defaultTtl: 90_000,
      visibility: 'addressed',
      exclusiveTimeout: 30_000,
      answerTimeout: 600_000,
      dedupWindow: 600_000,
      selfFulfilment: false,
      arguments: 'refuse',
      counterRounds: 8,
      expiryWarnings: true,
    });
    expect(config.listen).toEqual({
      http: { host: '127.0.0.1', port: 7420 },
      grpc: { host: '127.0.0.1', port: 50_051 },
      allowInsecure: false,
      allowedOrigins: [],
    });
    expect(config.journal).toEqual({ backend: 'local', path: 'proffer-data' });
    expect(config.limits).toMatchObject({
      messageSize: 1_048_576,
      messageDepth: 64,
      connectionsPerToken: 32,
      streamsPerToken: 1024,
    });
    expect(config.dev).toBe(false);
  });

  it('resolves paths relative to the configuration file, wherever the gateway is started', () => {
    const text = `${SMALL}\ntls: { cert: tls/gateway.crt, key: /etc/gateway.key }\njournal: { path: data }`;
    const { tls, journal } = configured(text, { file: '/etc/proffer/proffer.yaml' });
    expect(tls).toEqual({ cert: '/etc/proffer/tls/gateway.crt', key: '/etc/gateway.key' });
    expect(journal).toEqual({ backend: 'local', path: '/etc/proffer/data' });
  });

  it('may share parts with anchors and aliases', () => {
    const config = configured(
      `participants:\n  a: &one { tokens: [${hash}], spaces: { main: &all ["*"] } }\n  b: { spaces: { main: *all } }`,
    );
    expect(config.participants.get('b')?.spaces.get('main')).toHaveLength(1);
  });
});

describe('invalid configuration', () => {
  it('names file, line and column, what was found, what is allowed and what was probably meant', () => {
    const problem = problemOf(`${SMALL}\nlimits:\n  mesage_size: 1MiB\n`);
    expect(problem).toMatchObject({
      source: 'proffer.yaml',
      line: 17,
      column: 3,
      path: 'limits.mesage_size',
      suggestion: 'message_size',
    });
    expect(problem.message).toContain('"mesage_size"');
    expect(problem.message).toContain('messages_per_participant');
    expect(formatProblems([problem])).toMatch(
      /^proffer\.yaml:17:3: limits\.mesage_size: .* Did you mean message_size\?\n1 problem in/,
    );
  });

  it('shows all problems at once, also between keys, in the order of the file', () => {
    const problems = problemsOf(`
listen: { http: 7420, grpc: 0.0.0.0:50051 }
spaces:
  main: { visibility: some, default_ttl: 2h, max_ttl: 1h }
participants:
  agent: { spaces: { mian: proposr, main: [mcp.**] } }
  system:me:
journal: { backend: nats }
colour: blue
`);
    expect(problems.map(({ path }) => path).sort()).toEqual([
      'colour',
      'journal.backend',
      'listen.grpc',
      'listen.http',
      'participants.agent.spaces.main[0]',
      'participants.agent.spaces.mian',
      'participants.agent.spaces.mian',
      'participants["system:me"]',
      'spaces.main.default_ttl',
      'spaces.main.visibility',
    ]);
    const lines = formatProblems(problems)
      .split('\n')
      .slice(0, -1)
      .map((line) => Number(line.split(':')[1]));
    expect(lines).toEqual([...lines].sort((left, right) => left - right));
    expect(problems.find(({ path }) => path === 'listen.http')?.suggestion).toBe('127.0.0.1:7420');
  });

  it.each([
    ['a: [1\nb: 2', 2, 'Unclosed'],
    ['\tdev: true', 1, 'Tabs'],
    ['dev: true\ndev: true', 2, 'Duplicate'],
    ["dev: 'tr", 1, 'missing'],
    ['dev: true\n---\ndev: true', 2, 'second document'],
    ['dev: !yes true', 1, 'Tags'],
    ['dev: *nothing', 1, 'alias'],
    ['- dev', 1, 'keys with values'],
    ['a: &a [*a]', 1, 'too large'],
    ['listen: &l { http: off }\ntls: [', 2, 'Unexpected|missing|indentation|valid YAML'],
  ])('is explained when it is not even YAML: %j', (text, line, words) => {
    const [problem] = problemsOf(text);
    expect(problem?.line).toBe(line);
    expect(problem?.message).toMatch(new RegExp(words));
  });

  it('keeps everything unless retention is configured', () => {
    expect(configured(SMALL).journal).not.toHaveProperty('retention');
    const { journal } = configured(`${SMALL}\njournal: { retention: 90d }`);
    expect(journal.retention).toBe(90 * 86_400_000);
    const text = 'dev: true\njournal: { retention: 1h }\nspaces: { main: { dedup_window: 2h } }';
    expect(problemsOf(text)).toMatchObject([
      { path: 'journal.retention', message: expect.stringContaining('dedup_window') },
    ]);
  });

  it('I-1: a journal survives a power cut, unless it is told to be synced later', () => {
    expect(configured(SMALL).journal).not.toHaveProperty('durability');
    expect(configured(`${SMALL}\njournal: { durability: power }`).journal).not.toHaveProperty('durability');
    expect(configured(`${SMALL}\njournal: { durability: process }`).journal).toMatchObject({
      backend: 'local',
      durability: 'process',
    });
    const env = { PROFFER_JOURNAL_DURABILITY: 'process' };
    expect(configured(SMALL, { env }).journal).toMatchObject({ durability: 'process' });
  });

  const LISTED = `participants: { ada: { tokens: [${hash}], spaces: { main: ["*"] } } }`;
  it.each([
    [`${LISTED}\njournal: { durability: process, backend: memory }`, 'backend: memory'],
    [`${LISTED}\njournal: { durability: later }`, 'power'],
    ['dev: true\njournal: { durability: process }', 'In dev mode, any name may run its own calls'],
    [
      `journal: { durability: process }\nparticipants: { guard: { tokens: [${hash}], spaces: { main: ["*"] }, runs_own_calls: true } }`,
      'The participant "guard" runs its own calls',
    ],
    [
      `${LISTED}\njournal: { durability: process }\njwt: { issuer: i, audience: a, jwks_url: "https://i", unlisted_subjects: { claims: [{ claim: groups, has: g, runs_own_calls: true, spaces: { main: ["*"] } }] } }`,
      'jwt.unlisted_subjects run their own calls',
    ],
    [
      `${LISTED}\njournal: { durability: process }\nspaces: { main: { review: [{ name: payments, call: "mcp.request.tools/call:pay_*", approvals: 2 }] } }`,
      'The space "main" has review policies.',
    ],
    [
      `${LISTED}\njournal: { durability: process }\nevidence: { key: ../log.key }`,
      'The gateway signs its journal (evidence).',
    ],
  ])('I-1: a journal where a call must not run twice is not synced later: %#', (text, said) => {
    expect(problemsOf(text)).toEqual([
      expect.objectContaining({ path: 'journal.durability', message: expect.stringContaining(said) }),
    ]);
  });

  it('accepts a journal on NATS, with paths relative to its folder', () => {
    const { journal } = configured(
      `${SMALL}\njournal:\n  backend: nats\n  nats: { servers: ["nats://n1:4222", "tls://n2:4222"], credentials: gateway.creds, tls: { ca: ca.pem }, key_file: my.keys, accept_unsigned: 17 }`,
    );
    expect(journal).toEqual({
      backend: 'nats',
      servers: ['nats://n1:4222', 'tls://n2:4222'],
      stream: 'proffer',
      replicas: 3,
      login: { credentials: 'gateway.creds' },
      keys: { file: 'my.keys' },
      acceptUnsigned: 17,
      tls: { ca: 'ca.pem' },
    });
    const env = { PROFFER_JOURNAL_NATS_KEYS: 'k:secret', PROFFER_JOURNAL_NATS_ALLOW_INSECURE: 'true' };
    const text = 'dev: true\njournal: { backend: nats, nats: { servers: ["nats://n1"] } }';
    expect(configured(text, { env }).journal).toMatchObject({
      keys: { text: 'k:secret' },
      allowInsecure: true,
    });
  });

  it.each([
    ['', 'journal.backend', 'set journal.nats.servers'],
    ['nats: { servers: [] }', 'journal.backend', 'set journal.nats.servers'],
    ['nats: { servers: ["http://n1"] }', 'journal.nats.servers[0]', 'nats://127.0.0.1:4222'],
    ['nats: { servers: ["nats://n1"], stream: a.b }', 'journal.nats.stream', 'letters, digits'],
    ['nats: { servers: ["nats://n1"], replicas: 7 }', 'journal.nats.replicas', 'from 1 to 5'],
    ['nats: { servers: ["nats://n1"], user: me }', 'journal.nats.user', 'PROFFER_JOURNAL_NATS_PASSWORD'],
    ['nats: { servers: ["nats://n1"], password: x }', 'journal.nats.password', 'set journal.nats.user'],
    ['nats: { servers: ["nats://n1"], nkey: a, credentials: b }', 'journal.nats.credentials', 'keep one'],
    ['nats: { servers: ["nats://n1"], tls: { cert: c } }', 'journal.nats.tls', 'both cert and key'],
    [
      'nats: { servers: ["nats://n1"], accept_unsigned: some }',
      'journal.nats.accept_unsigned',
      'none, all, or',
    ],
    ['nats: { servers: ["nats://n1"], key_file: b }', 'journal.nats.keys', 'keep one'],
  ])('is rejected for a wrong journal on NATS: %s', (nats, path, words) => {
    const text = `dev: true\njournal:\n  backend: nats\n${nats === '' ? '' : `  ${nats}\n`}`;
    const written = text.replace('{ servers: ["', '{ keys: "k:secret", servers: ["');
    const problem = problemOf(written);
    expect(problem).toMatchObject({ path, message: expect.stringContaining(words) });
    expect(problem.line).toBeGreaterThan(2);
  });

  it('I-9: is rejected if gateways on NATS have no keys', () => {
    const text = 'dev: true\njournal: { backend: nats, nats: { servers: ["nats://n1"] } }';
    expect(problemOf(text)).toMatchObject({
      path: 'journal.nats',
      message: expect.stringContaining('journal.nats.key_file, or PROFFER_JOURNAL_NATS_KEYS. `proffer key`'),
    });
  });

  it('is rejected if nobody could connect, and says how to create a token', () => {
    expect(problemOf('').message).toMatch(/`proffer token NAME`.*participants\.NAME\.tokens.*jwt.*dev: true/);
    expect(problemOf('participants: { agent: {} }').message).toContain('Nobody would be able to connect');
  });

  it('never shows a token or a secret', () => {
    const problems = problemsOf(`
participants:
  a: { tokens: [${token}, not-a-hash-but-a-secret, { secret-key: secret-value }] }
  b: { tokens: secret-scalar }
jwt: { issuer: me, audience: me, jwks_url: "https://user:secret-password@example.com/", jwks: { keys: [{ kty: oct, k: secret }] } }
journal: { backend: nats, nats: { servers: ["nats://user:secret@host:4222"] } }
`);
    expect(problems.length).toBeGreaterThanOrEqual(6);
    const shown = formatProblems(problems);
    expect(shown).not.toContain(token);
    expect(shown).not.toMatch(/secret-|secret@|not-a-hash/);
  });

  it('rejects one token for two participants', () => {
    const problem = problemOf(
      `participants:\n  a: { tokens: [${hash}] }\n  b: { tokens: [${hash.toUpperCase().replace('SHA', 'sha')}] }`,
    );
    expect(problem).toMatchObject({ line: 3, path: 'participants.b.tokens[0]' });
    expect(problem.message).toContain('already belongs to a');
  });

  it('does not let tokens cross a network unencrypted', () => {
    const open = `${SMALL}\nlisten: { http: "0.0.0.0:7420" }\n`;
    expect(problemOf(open)).toMatchObject({ path: 'listen.http' });
    expect(configured(`${open}tls: { cert: a, key: b }`).tls).toEqual({ cert: 'a', key: 'b' });
    expect(configured(open.replace('" }', '", allow_insecure: true }')).listen.allowInsecure).toBe(true);
    expect(configured(`${SMALL}\nlisten: { http: "[::1]:0", grpc: localhost:1 }`).listen.http).toEqual({
      host: '::1',
      port: 0,
    });
    expect(problemOf(`${SMALL}\nlisten: { http: example.com:1 }`).path).toBe('listen.http');
    expect(problemOf(`${SMALL}\nlisten: { http: "off", grpc: "off" }`).path).toBe('listen');
    expect(problemOf(`${SMALL}\nlisten: { grpc: 127.0.0.1:7420 }`).path).toBe('listen.grpc');
  });

  it('names files that cannot be read', () => {
    const text = `${SMALL}\ntls:\n  cert: there.crt\n  key: gone.key\n`;
    const problem = problemOf(text, { isReadable: (path) => path === 'there.crt' });
    expect(problem).toMatchObject({ line: 18, column: 8, path: 'tls.key' });
    expect(problem.message).toContain('gone.key');
  });

  it('accepts keys that every object has', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      expect(problemOf(`${SMALL}\n${key}: 1`).path).toBe(key);
      expect(problemOf(`${SMALL}\nlimits: { ${key}: 1 }`).path).toBe(`limits.${key}`);
    }
    const config = configured(`participants: { toString: { tokens: [${hash}] }, constructor: {} }`);
    expect([...config.participants.keys()]).toEqual(['toString', 'constructor']);
    expect(problemOf(`participants: { __proto__: { tokens: [${hash}] } }`).path).toBe(
      'participants.__proto__',
    );
  });
});
