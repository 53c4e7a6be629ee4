import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalPlace } from '@proffer/journal';
import { type NatsServers, startNatsServers, TEST_ACCESS } from '@proffer/journal/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testKilledNotifiers } from './testing/killed-notifiers.js';
import { startNotifyingHere } from './testing/notifying-gateways.js';
import { startNotifying } from './testing/notifying-process.js';
import { receivePushes } from './testing/push-service.js';
import { receiveHttp } from './testing/receivers.js';

let servers: NatsServers;
let streams = 0;

beforeAll(async () => {
  servers = await startNatsServers({ count: 3 });
});
afterAll(() => servers[Symbol.asyncDispose]());

const place = (): JournalPlace => ({
  backend: 'nats',
  ...TEST_ACCESS,
  servers: servers.urls,
  stream: `notify-${streams++}`,
  replicas: 3,
});
const startThree = async (journal: JournalPlace, yaml: string, clock?: () => number) => {
  const start = () => startNotifyingHere(journal, yaml, clock);
  const first = await start();
  return [first, ...(await Promise.all([start(), start()]))] as const;
};
const CALL = { method: 'resources/read', params: { uri: 'file:///a' } };
const SECRET = `whsec_${btoa('a secret that is 24 long')}`;
const hookYaml = (url: string): string => `dev: true
notify:
  channels: { hook: { type: webhook, url: "${url}", secrets: ["${SECRET}"] } }
  participants: { reviewer: [{ channel: hook, digest: 0s }] }
`;

describe('three notifying gateways', () => {
  it('I-1: send each notification once; what a killed gateway could not send, another sends under the same id', async () => {
    let isTaking = false;
    await using receiver = await receiveHttp(() => ({ status: isTaking ? 204 : 503, retryAfter: 3_600 }));
    const yaml = hookYaml(receiver.url);
    const journal = place();
    const killed = await startNotifying(journal, 0, yaml);
    onTestFinished(() => killed.kill());
    const response = await fetch(`${killed.url}/spaces/main/proposals`, {
      method: 'POST',
      headers: { authorization: 'Bearer agent', 'content-type': 'application/json' },
      body: JSON.stringify(CALL),
    });
    expect(response.status).toBe(201);
    const [tried] = await receiver.until(1);
    await killed.kill();
    isTaking = true;
    // Once its claims have expired.
    let ahead = 7_200_000;
    const gateways = await startThree(journal, yaml, () => Date.now() + ahead);
    const [, sent] = await receiver.until(2);
    expect(sent?.headers['webhook-id']).toBe(tried?.headers['webhook-id']);
    for (let count = 0; count < 12; count++)
      expect((await gateways[count % 3]?.post('/spaces/main/proposals', 'agent', CALL))?.status).toBe(201);
    await receiver.until(14);
    const sentBy = async ({ url }: (typeof gateways)[number]): Promise<number> => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return Number(/notifications_total\{channel="hook",result="sent"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    await expect
      .poll(async () => (await Promise.all(gateways.map(sentBy))).reduce((sum, one) => sum + one, 0))
      .toBe(13);
    // A later check finds nothing to do.
    ahead += 60_000;
    await gateways[0].post('/spaces/main/proposals', 'agent', CALL);
    await receiver.until(15);
    const ids = receiver.received.slice(1).map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([14, 14]);
  });

  it('O-29: a decision link works at every gateway, but only once overall', async () => {
    await using ntfy = await receiveHttp();
    const yaml = `dev: true
notify:
  links: bearer
  channels: { phone: { type: ntfy, server: "${ntfy.url}" } }
  participants: { reviewer: [{ channel: phone, to: t, digest: 0s }] }
`;
    const gateways = await startThree(place(), yaml);
    const [here, there, elsewhere] = gateways;
    for (let count = 1; count <= 3; count++) {
      await here.post('/spaces/main/proposals', 'agent', CALL);
      const received = await ntfy.until(count);
      const { click } = JSON.parse(received[count - 1]?.body ?? '{}') as { readonly click: string };
      const key = new URL(click).hash.slice('#decide='.length);
      for (const { post } of gateways)
        expect((await post('/hooks/decision-link', undefined, { key })).status).toBe(200);
      const decisions = await Promise.all(
        [there, elsewhere, here].map(({ post }) =>
          post('/hooks/decision-link', undefined, { key, decision: 'reject', reason: 'disagree' }),
        ),
      );
      // Repeating the decision repeats the message; it counts once.
      const said = decisions.map(({ status, body }) => (status === 200 ? body['status'] : body['code']));
      const accepted = said.filter((each) => each === 'accepted').length;
      expect({ said, accepted }).toEqual({ said, accepted: 1 });
      for (const { post } of gateways)
        expect((await post('/hooks/decision-link', undefined, { key, decision: 'reject' })).status).toBe(409);
    }
  });

  it('O-29: a device subscribed at one gateway is notified by the others, until it is removed at any of them', async () => {
    await using service = await receivePushes();
    const folder = await mkdtemp(join(tmpdir(), 'proffer-push-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const keys = join(folder, 'keys.json');
    const push = `{ services: ["${service.origin}"], digest: 0s, contact: "mailto:ops@example.com", keys: "${keys}" }`;
    const [here, there, elsewhere] = await startThree(place(), `dev: true\nnotify: { push: ${push} }\n`);
    const devicesAt = async ({ post }: typeof here, body: object = {}) => {
      const answer = await post('/hooks/push', 'reviewer', body);
      return answer.body['devices'] as readonly { readonly id: string }[];
    };
    await devicesAt(here, { subscribe: service.subscription });
    const [device] = await devicesAt(there);
    expect(device).toBeDefined();
    // Any remaining gateway notifies it.
    await here.gateway.close();
    await there.post('/spaces/main/proposals', 'agent', CALL);
    await service.until(1);
    expect(await devicesAt(elsewhere, { remove: device?.id })).toEqual([]);
    await expect.poll(() => devicesAt(there)).toEqual([]);
    await there.post('/spaces/main/proposals', 'agent', CALL);
    await devicesAt(there, { subscribe: service.subscription });
    await there.post('/spaces/main/proposals', 'agent', { ...CALL, params: { uri: 'file:///last' } });
    const pushed = await service.until(2);
    expect(JSON.stringify(pushed[1]?.payload)).toContain('file:///last');
  });

  // Starting processes takes a while.
  if (process.env['PROFFER_LONG'] !== undefined)
    testKilledNotifiers({
      name: 'three gateways',
      gateways: 3,
      kills: 30,
      place: () => Promise.resolve(place()),
    });
});
