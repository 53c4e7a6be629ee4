import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { createToken, loopbackConfig, startGateway } from '@proffer/gateway';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHANNEL_TYPES } from '../channels/registry.js';
import { type NotifyPlace, notifyCompanionWith } from '../companion.js';
import { type PushService, receivePushes } from '../testing/push-service.js';

const [agent, ann, bob] = [createToken(), createToken(), createToken()];

function yamlFor(services: readonly PushService[], hash = ann.hash): string {
  const origins = JSON.stringify(services.map(({ origin }) => origin));
  return `spaces: { main: {} }
participants:
  agent: { tokens: ["${agent.hash}"], spaces: { main: ["mcp.proposal.*", "mcpx.withdraw.*"] } }
  ann: { tokens: ["${hash}"], spaces: { main: ["*"] } }
  bob: { tokens: ["${bob.hash}"], spaces: { main: ["*"] } }
notify: { push: { services: ${origins}, digest: 0s, contact: "mailto:ops@example.com" } }
`;
}

async function setUp(place: NotifyPlace = {}) {
  const [service, other] = [await receivePushes(), await receivePushes()];
  for (const one of [service, other]) onTestFinished(() => one[Symbol.asyncDispose]());
  const folder = await mkdtemp(join(tmpdir(), 'proffer-push-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const journal = { backend: 'local', path: folder } as const;
  const log = pino({ level: 'silent' });
  const start = async () => {
    const started = await startGateway({
      config: { ...loopbackConfig(yamlFor([service, other]), { channelTypes: CHANNEL_TYPES }), journal },
      log,
      companions: [notifyCompanionWith(place)],
    });
    if (!started.ok) throw new Error(started.refusal.message);
    return started.value;
  };
  let gateway = await start();
  onTestFinished(() => gateway.close());
  const url = () => `http://127.0.0.1:${gateway.address.port}`;
  const ask = async (token: string, body: object = {}) => {
    const response = await fetch(`${url()}/hooks/push`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'A phone' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    service,
    other,
    folder,
    ask,
    restart: async () => {
      await gateway.close();
      gateway = await start();
    },
    reload: (hash: string) =>
      gateway.reload({
        ...loopbackConfig(yamlFor([service, other], hash), { channelTypes: CHANNEL_TYPES }),
        journal,
      }),
    done: async () => {
      const text = await (await fetch(`${url()}/metrics`)).text();
      return Number(/^proffer_notifications_total\{.*result="sent".*\} (\d+)/m.exec(text)?.[1] ?? 0);
    },
    say: async (token: string, kind: string, payload: object) => {
      const body = JSON.stringify({ kind, payload });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const { status } = await fetch(`${url()}/spaces/main/messages`, { method: 'POST', headers, body });
      expect(status).toBe(200);
    },
    propose: async (path: string) => {
      const proposer = await connect({ url: url(), token: agent.token, space: 'main' });
      onTestFinished(() => proposer.close());
      const proposal = proposer.propose('tools/call', { name: 'write_file', arguments: { path } });
      proposal.catch(() => {});
      await proposal.accepted;
      // A proposal is itself awaitable.
      return { id: proposal.id, withdraw: () => proposal.withdraw() };
    },
  };
}

const devicesIn = ({ body }: { readonly body: Record<string, unknown> }) =>
  body['devices'] as readonly { readonly id: string; readonly agent: string }[];

describe('Web Push', () => {
  it('tells a revoked device nothing', async () => {
    const revoked = new Set<string>();
    const { service, other, ask, propose } = await setUp({
      isRevoked: (participant) => revoked.has(participant),
    });
    await ask(ann.token, { subscribe: service.subscription });
    await ask(bob.token, { subscribe: other.subscription });
    await propose('/tmp/a');
    await Promise.all([service.until(1), other.until(1)]);
    revoked.add('ann');
    const { id } = await propose('/tmp/b');
    const [, asked] = await other.until(2);
    expect(asked?.payload).toMatchObject({ tag: id });
    await expect.poll(async () => devicesIn(await ask(ann.token))).toEqual([]);
    expect(await service.until(1)).toHaveLength(1);
  });

  it('notifies a device in a way that only it can read, signed with persistent keys', async () => {
    const { service, folder, ask, propose, restart } = await setUp();
    const { body } = await ask(ann.token);
    expect(devicesIn(await ask(ann.token, { subscribe: service.subscription }))).toMatchObject([
      { agent: 'A phone' },
    ]);
    const proposal = await propose('/etc/hosts');
    const [asked] = await service.until(1);
    expect(asked).toMatchObject({
      payload: {
        kind: 'asked',
        title: 'agent wants to run write_file',
        body: expect.stringContaining('path: /etc/hosts'),
        tag: proposal.id,
        url: `/console/main/inbox/${proposal.id}`,
      },
      headers: { 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '3600' },
      signedBy: body['publicKey'],
      claims: { aud: service.origin, sub: 'mailto:ops@example.com' },
    });
    await proposal.withdraw();
    const [, ended] = await service.until(2);
    expect(ended?.payload).toMatchObject({ kind: 'ended', tag: proposal.id });

    const file = join(folder, 'push-keys.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await restart();
    expect((await ask(ann.token)).body['publicKey']).toBe(body['publicKey']);
    await propose('/tmp/x');
    expect((await service.until(3))[2]?.payload).toMatchObject({ kind: 'asked' });
  });

  it('ends with the token, for good', async () => {
    const { service, other, ask, propose, reload } = await setUp();
    await ask(ann.token, { subscribe: service.subscription });
    reload(createToken().hash);
    await expect.poll(async () => (await ask(ann.token)).status).toBe(401);
    reload(ann.hash);
    // Services beside the gateway apply the configuration a moment later.
    await expect.poll(async () => devicesIn(await ask(ann.token))).toEqual([]);
    await ask(bob.token, { subscribe: other.subscription });
    await propose('/b');
    await other.until(1);
    expect(service.pushed).toEqual([]);
  });

  it('I-4, O-52: tells nobody who was removed from the space, until they are invited again', async () => {
    const { service, ask, propose, say, done } = await setUp();
    await ask(ann.token, { subscribe: service.subscription });
    await propose('/first');
    await service.until(1);
    await say(bob.token, 'mcpx.kick.participant', { participant: 'ann' });
    await propose('/secret');
    // One is sent, and one is dropped.
    await expect.poll(done).toBe(2);
    await say(bob.token, 'mcpx.invite.participant', { participant: 'ann' });
    await propose('/third');
    const bodies = (await service.until(2)).map(({ payload }) => payload['body']);
    expect(bodies).toEqual([expect.stringContaining('/first'), expect.stringContaining('/third')]);
  });

  it('I-7: notifies at most twenty devices of a person, those last seen', async () => {
    const { service, other, ask, propose } = await setUp();
    await ask(ann.token, { subscribe: service.subscription });
    const { endpoint, keys } = other.subscription;
    for (let index = 1; index <= 20; index++)
      await ask(ann.token, { subscribe: { endpoint: `${endpoint}-${index}`, keys } });
    expect(devicesIn(await ask(ann.token))).toHaveLength(20);
    const first = await propose('/a');
    expect(await other.until(20)).toHaveLength(20);
    await first.withdraw();
    await other.until(40);
    expect(service.pushed).toEqual([]);
  });

  it('forgets a device that is gone, and one that its owner removes', async () => {
    const { service, ask, propose } = await setUp();
    const [device] = devicesIn(await ask(ann.token, { subscribe: service.subscription }));
    expect(devicesIn(await ask(bob.token, { remove: device?.id }))).toEqual([]);
    expect(devicesIn(await ask(ann.token))).toHaveLength(1);
    expect(devicesIn(await ask(ann.token, { remove: device?.id }))).toEqual([]);
    await propose('/not-told');
    await ask(ann.token, { subscribe: service.subscription });
    service.leave();
    await propose('/gone');
    await expect.poll(async () => devicesIn(await ask(ann.token))).toEqual([]);
    expect(service.pushed).toEqual([]);
  });

  it('pushes only to addresses the operator allows, and only for known participants', async () => {
    const { service, ask } = await setUp();
    expect((await ask('pf_wrong', {})).status).toBe(401);
    const { keys } = service.subscription;
    const endpoints = [
      'http://127.0.0.1:9/x',
      `${service.origin}.example.com/x`,
      'file:///etc/passwd',
      'https://fcm.googleapis.com/x',
      'nonsense',
    ];
    for (const endpoint of endpoints)
      expect(await ask(ann.token, { subscribe: { endpoint, keys } })).toMatchObject({
        status: 400,
        body: { code: 'invalid_field' },
      });
    for (const p256dh of ['AAAA', `B${'A'.repeat(86)}`]) {
      const subscribe = { ...service.subscription, keys: { ...keys, p256dh } };
      expect((await ask(ann.token, { subscribe })).status).toBe(400);
    }
    expect(devicesIn(await ask(ann.token))).toEqual([]);
  });

  it('is not offered if its keys are invalid, and the gateway keeps running', async () => {
    const { folder, ask, restart } = await setUp();
    const file = join(folder, 'push-keys.json');
    await writeFile(file, '{}');
    await restart();
    expect((await ask(ann.token)).status).toBe(404);
    expect(await readFile(file, 'utf8')).toBe('{}');
  });
});
