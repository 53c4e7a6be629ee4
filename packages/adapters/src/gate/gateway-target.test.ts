import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { join, startTestGateway, type TestGateway } from '../testing/gateway.js';
import { findGateway } from './gateway-target.js';
import { createGate } from './index.js';

/**
 * A gateway like the one shared by a machine's guards and hooks: callers sign a token with the key in
 * their folder.
 */
const KEY = Buffer.from('a key of thirty-two bytes or more').toString('base64url');
const REVIEWER = 'the-reviewers-token';
const SHARED = `
spaces: { main: {} }
capabilities:
  guard: [mcp.proposal.*, mcpx.withdraw.proposal, mcpx.status.proposal, mcp.response.*]
participants:
  reviewer: { tokens: ['sha256:${createHash('sha256').update(REVIEWER).digest('hex')}'], spaces: { main: ["*"] } }
jwt:
  issuer: proffer-guard
  audience: proffer-guard
  jwks: { keys: [{ kty: oct, k: ${KEY} }] }
  unlisted_subjects: { claims: [{ claim: role, has: guard, spaces: { main: guard }, runs_own_calls: true }] }
`;
const DEV = {
  url: 'ws://127.0.0.1:7420',
  token: 'bot',
  space: 'main',
  inbox: 'http://127.0.0.1:7420/console/main/inbox',
};

let gateway: TestGateway;
let home: string;
beforeAll(async () => {
  gateway = await startTestGateway(SHARED);
  home = await mkdtemp(path(tmpdir(), 'proffer-machine-'));
  await mkdir(path(home, 'guard'));
  await writeFile(path(home, 'guard', 'port'), `${new URL(gateway.url).port}\n`);
  await writeFile(path(home, 'guard', 'guards.key'), `${KEY}\n`);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(home, { recursive: true });
});
beforeEach(() => {
  vi.stubEnv('PROFFER_HOME', home);
  for (const name of ['PROFFER_URL', 'PROFFER_TOKEN', 'PROFFER_SPACE']) vi.stubEnv(name, '');
});
afterEach(() => vi.unstubAllEnvs());

describe('without an address, a gate', () => {
  it("asks in the gateway that the machine's guards and hooks share", async () => {
    await using reviewer = await join(gateway, REVIEWER);
    await using gate = createGate({ agent: 'billing-bot' });
    const running = gate.run({ tool: 'pay', arguments: { amount: 5 }, callId: 'c1' }, () => 'paid');
    await expect.poll(() => reviewer.pending[0]?.proposer).toBe('billing-bot');
    const [proposal] = reviewer.pending;
    if (proposal !== undefined) await reviewer.fulfil(proposal);
    expect(await running).toBe('paid');
  });

  it('says once where its calls wait, and how to open the inbox there', async () => {
    await using reviewer = await join(gateway, REVIEWER);
    const said = vi.fn<(tool: string, at: { readonly url: string; readonly inbox: string }) => void>();
    await using gate = createGate({ agent: 'slow-bot', onWaiting: said });
    const calls = ['first', 'second'].map((tool) =>
      gate.run({ tool, arguments: {}, callId: tool }, () => tool),
    );
    await expect.poll(() => said.mock.calls.length).toBe(1);
    await expect.poll(() => reviewer.pending.length).toBe(2);
    for (const proposal of reviewer.pending) await reviewer.fulfil(proposal);
    expect(await Promise.all(calls)).toEqual(['first', 'second']);
    const inbox = `PROFFER_HOME=${JSON.stringify(home)} npx proffer inbox --guard --open`;
    expect(said.mock.calls).toEqual([['first', { url: gateway.url.replace('ws:', 'http:'), inbox }]]);
  });

  it("never asks there under a reviewer's name", async () => {
    for (const agent of ['reviewer', 'Steward', 'a b'])
      expect(await findGateway({ agent })).toMatchObject({ url: DEV.url, token: agent });
  });

  it('asks in dev mode if the shared gateway is not running, and says what to start', async () => {
    vi.stubEnv('PROFFER_HOME', path(home, 'none'));
    expect(await findGateway({ agent: 'bot' })).toEqual({
      ...DEV,
      advice: expect.stringContaining('npx proffer up --dev'),
    });
  });

  it('gives precedence to the options and the environment', async () => {
    expect(await findGateway({ agent: 'bot', url: 'ws://a' })).toEqual({
      ...DEV,
      url: 'ws://a',
      inbox: 'http://a/console/main/inbox',
    });
    expect(await findGateway({ agent: 'bot', token: 't' })).toMatchObject({ ...DEV, token: 't' });
    vi.stubEnv('PROFFER_URL', 'ws://b');
    expect(await findGateway({ agent: 'bot' })).toEqual({
      ...DEV,
      url: 'ws://b',
      inbox: 'http://b/console/main/inbox',
    });
  });
});
