import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { loopbackConfig, startGateway } from '@proffer/gateway';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHANNEL_TYPES } from './channels/registry.js';
import { notifyCompanion } from './companion.js';
import { receiveHttp } from './testing/receivers.js';

const SECRET = `whsec_${btoa('a secret that is 24 long')}`;

/** A gateway in this process with its journal in a folder, which notifies the reviewer by webhook. */
async function start(folder: string, url: string) {
  const yaml = `dev: true
notify:
  url: https://proffer.example
  channels: { hook: { type: webhook, url: "${url}", secrets: ["${SECRET}"] } }
  participants: { reviewer: [{ channel: hook, digest: 0s }] }
`;
  const config = {
    ...loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES }),
    journal: { backend: 'local', path: folder } as const,
  };
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

describe('a notifying gateway', () => {
  it('notifies those who may decide, across failures and a restart, and counts it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-notify-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // The first attempt at each fails, with a request to retry at once.
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
        title: 'agent wants to run echo',
        proposals: [{ proposer: 'agent', link: `https://proffer.example/console/main/inbox/${proposal}` }],
      },
    });
    await expect
      .poll(second.metrics)
      .toContain('proffer_notifications_total{channel="hook",result="sent"} 1');
  }, 60_000);

  it('does not delay messages: everything is decided while the notifier waits for its own writes', async () => {
    await using receiver = await receiveHttp();
    const memory = createMemoryJournal();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = 0;
    const append: Journal['append'] = async (stream, version, records) => {
      if (stream.startsWith('system:notify/')) {
        held += 1;
        await released;
      }
      return await memory.append(stream, version, records);
    };
    const journal = new Proxy(memory, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (key === 'append') return append;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const yaml = `dev: true
notify:
  channels: { hook: { type: webhook, url: "${receiver.url}", secrets: ["${SECRET}"] } }
  participants: { reviewer: [{ channel: hook, digest: 0s }] }
`;
    const started = await startGateway({
      config: loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES }),
      log: pino({ level: 'silent' }),
      companions: [notifyCompanion],
      journal,
    });
    if (!started.ok) throw new Error(started.refusal.message);
    onTestFinished(() => started.value.close());
    onTestFinished(() => release());
    const url = `http://127.0.0.1:${started.value.address.port}`;
    const [agent, reviewer, tools] = await Promise.all(
      ['agent', 'reviewer', 'tools'].map((token) => connect({ url, token, space: 'main' })),
    );
    if (agent === undefined || reviewer === undefined || tools === undefined) throw new Error('missing');
    onTestFinished(async () => {
      await Promise.all([agent, reviewer, tools].map((one) => one.close()));
    });
    await tools.serve([{ name: 'echo', handler: ({ text }) => text }]);
    reviewer.onProposal(({ fulfil }) => fulfil());
    for (const text of ['one', 'two', 'three'])
      expect(await agent.propose('tools/call', { name: 'echo', arguments: { text } })).toMatchObject({
        content: [{ text }],
      });
    // It had something to write all the time, and nobody has been notified.
    expect(held).toBe(1);
    expect(receiver.received).toEqual([]);
  });
});
