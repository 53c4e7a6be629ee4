import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { loopbackConfig, startGateway } from '@proffer/gateway';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notifyCompanion } from './companion.js';
import { receiveHttp } from './testing/receivers.js';

const SECRET = `whsec_${btoa('a secret that is 24 long')}`;

/** A gateway in this process that keeps its journal in a folder, and tells the reviewer by webhook. */
async function start(folder: string, url: string) {
  const yaml = `dev: true
notify:
  url: https://proffer.example
  channels: { hook: { type: webhook, url: "${url}", secrets: ["${SECRET}"] } }
  participants: { reviewer: [{ channel: hook, digest: 0s }] }
`;
  const config = { ...loopbackConfig(yaml), journal: { backend: 'local', path: folder } as const };
  const started = await startGateway({
    config,
    log: pino({ level: 'silent' }),
    companions: [notifyCompanion],
  });
  if (!started.ok) throw new Error(started.refusal.message);
  const gateway = started.value;
  const base = `http://127.0.0.1:${gateway.address.port}`;
  return {
    gateway,
    metrics: async () => await (await fetch(`${base}/metrics`)).text(),
    join: (token: string) => connect({ url: base, token, space: 'main' }),
  };
}

describe('a gateway that notifies', () => {
  it('tells who may decide, across failures and a restart, and counts it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-notify-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // The first attempt at each fails, and the sender is asked to come back at once.
    const failed = new Set<string>();
    await using receiver = await receiveHttp(({ headers }) => {
      const id = String(headers['webhook-id']);
      if (failed.has(id)) return { status: 204 };
      failed.add(id);
      return { status: 503 };
    });
    const first = await start(folder, receiver.url);
    const agent = await first.join('agent');
    agent
      .propose('tools/call', { name: 'echo', arguments: { text: 'hi' } }, { ttl: 3_600_000 })
      .catch(() => {});
    await receiver.until(1);
    await agent.close();
    await first.gateway.close();

    const second = await start(folder, receiver.url);
    onTestFinished(() => second.gateway.close());
    const received = await receiver.until(2);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [, again] = received;
    const event = new Webhook(SECRET).verify(again?.body ?? '', again?.headers as Record<string, string>);
    const { proposal } = (event as { data: { proposals: { proposal: string }[] } }).data.proposals[0] ?? {};
    expect(event).toMatchObject({
      type: 'proposal.asked',
      data: {
        recipient: 'reviewer',
        title: 'agent asks: call echo',
        proposals: [{ proposer: 'agent', link: `https://proffer.example/console/main/inbox/${proposal}` }],
      },
    });
    await expect
      .poll(second.metrics)
      .toContain('proffer_notifications_total{channel="hook",result="sent"} 1');
  }, 60_000);
});
