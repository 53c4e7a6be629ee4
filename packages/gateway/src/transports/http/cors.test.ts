import { describe, expect, it } from 'vitest';
import { configured, problemOf } from '../../config/testing/configured.js';
import { loopbackConfig } from '../../loopback.js';
import { connectPeer, refusedPeer } from '../../testing/peers/peer.js';
import { connectRaw } from '../../testing/peers/raw.js';
import { startTestGateway } from '../../testing/test-gateway.js';
import { createToken } from '../../token.js';

const APP = 'https://app.example.com';
const yaml = `dev: true\nlisten: { allowed_origins: ["${APP}"] }`;

/** `fetch` sets no origin, so this sends what a browser would. */
async function browse(port: number, method: string, headers: string): Promise<string> {
  using raw = await connectRaw(
    port,
    `${method} /spaces/main/proposals HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers}\r\n\r\n`,
  );
  return await raw.ended;
}

const ASKING =
  'Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization,idempotency-key';

describe('pages of other origins', () => {
  it('I-4: exactly the configured ones may use it, and are told so', async () => {
    await using gateway = await startTestGateway(yaml);
    const asked = await browse(gateway.port, 'OPTIONS', `Origin: ${APP}\r\n${ASKING}`);
    expect(asked).toMatch(/^HTTP\/1\.1 204 /);
    expect(asked).toContain(`access-control-allow-origin: ${APP}\r\n`);
    expect(asked).toMatch(/access-control-allow-methods: .*POST/);
    expect(asked).toMatch(/access-control-allow-headers: .*authorization.*idempotency-key/);
    const got = await browse(gateway.port, 'GET', `Origin: ${APP}\r\nAuthorization: Bearer agent`);
    expect(got).toMatch(/^HTTP\/1\.1 200 /);
    expect(got).toContain(`access-control-allow-origin: ${APP}\r\n`);
    expect(got).toContain('vary: origin\r\n');
    // A page must be able to read why it is refused.
    const refused = await browse(gateway.port, 'GET', `Origin: ${APP}`);
    expect(refused).toMatch(/^HTTP\/1\.1 401 [^]*access-control-allow-origin/);
    for (const answer of [asked, got]) expect(answer).not.toMatch(/allow-credentials|allow-origin: \*/);
    await using peer = await connectPeer(gateway.ws, 'agent', {}, { origin: APP });
    await peer.next(({ kind }) => kind === 'system.welcome');
  });

  it.each([
    'https://evil.example',
    `${APP}.evil.example`,
    `${APP}:8443`,
    'http://app.example.com',
    'null',
    '*',
  ])('I-4: %s may not', async (origin) => {
    const agent = `{ tokens: ["${createToken().hash}"], spaces: { main: ["*"] } }`;
    await using gateway = await startTestGateway(
      `listen: { allowed_origins: ["${APP}"] }\nparticipants: { agent: ${agent} }`,
    );
    const asked = await browse(gateway.port, 'OPTIONS', `Origin: ${origin}\r\n${ASKING}`);
    expect(asked).toMatch(/^HTTP\/1\.1 403 [^]*"foreign_origin"/);
    const got = await browse(gateway.port, 'GET', `Origin: ${origin}`);
    for (const answer of [asked, got]) expect(answer).not.toContain('access-control-allow-origin');
  });

  it('I-4: a reload removes an origin, and in dev mode such a page is then refused altogether', async () => {
    await using gateway = await startTestGateway(yaml);
    gateway.gateway.reload(loopbackConfig('dev: true'));
    const got = await browse(gateway.port, 'GET', `Origin: ${APP}\r\nAuthorization: Bearer agent`);
    expect(got).toMatch(/^HTTP\/1\.1 403 /);
    expect(await refusedPeer(gateway.ws, 'agent', {}, { origin: APP })).toMatchObject({
      code: 'foreign_origin',
    });
  });

  it.each([
    ['"*"', undefined],
    ['"null"', undefined],
    ['app.example.com', undefined],
    ['ftp://app.example.com', undefined],
    ['https://app.example.com/', 'https://app.example.com'],
    ['https://App.example.com:443/x', 'https://app.example.com'],
  ])('the configuration %s is rejected, with its line', (written, suggestion) => {
    const problem = problemOf(`dev: true\nlisten:\n  allowed_origins:\n    - ${written}`);
    expect(problem).toMatchObject({ line: 4, path: 'listen.allowed_origins[0]' });
    expect(problem.suggestion).toBe(suggestion);
  });

  it('the setting can also come from the environment', () => {
    const env = { PROFFER_LISTEN_ALLOWED_ORIGINS: `${APP},http://localhost:5173` };
    const { listen } = configured('dev: true', { env });
    expect(listen.allowedOrigins).toEqual([APP, 'http://localhost:5173']);
  });
});

describe('two credentials', () => {
  it.each([
    ['two headers', 'Authorization: Bearer agent\r\nauthorization: Bearer reviewer'],
    ['two equal headers', 'Authorization: Bearer agent\r\nAuthorization: Bearer agent'],
    ['an additional empty one', 'Authorization:\r\nAuthorization: Bearer agent'],
  ])('I-4: %s are refused', async (_, headers) => {
    await using gateway = await startTestGateway();
    expect(await browse(gateway.port, 'GET', headers)).toMatch(
      /^HTTP\/1\.1 401 [^]*more than one credential/,
    );
  });

  it('I-4: a header with a subprotocol, or two subprotocols, are refused on a WebSocket', async () => {
    await using gateway = await startTestGateway();
    const carrier = (name: string) => `proffer.token.${Buffer.from(name).toString('base64url')}`;
    const unauthenticated = { status: 401, code: 'unauthenticated' };
    for (const [token, protocols] of [
      ['agent', carrier('reviewer')],
      [undefined, `proffer.v1, ${carrier('agent')}, ${carrier('reviewer')}`],
    ] as const) {
      const headers = { 'sec-websocket-protocol': protocols };
      expect(await refusedPeer(gateway.ws, token, {}, headers)).toEqual(unauthenticated);
    }
  });
});
