import { readFileSync } from 'node:fs';
import { type NatsServers, startNatsServers } from '@proffer/journal/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startGateway } from './gateway.js';
import { loopbackConfig, startOnLoopback } from './loopback.js';
import { chat } from './testing/messages.js';
import { until } from './testing/metrics.js';
import { openOnNats, startOnNats } from './testing/on-nats.js';
import { ask, post } from './testing/peers/http.js';
import { connectPeer } from './testing/peers/peer.js';

let servers: NatsServers;
let streams = 0;
const nats = () => ({ servers: servers.urls, stream: `closing-${streams}`, replicas: 1 });

beforeAll(async () => {
  servers = await startNatsServers();
});
beforeEach(() => void streams++);
afterAll(() => servers[Symbol.asyncDispose]());

function signal(name: NodeJS.Signals): void {
  for (const server of servers.servers) server.signal(name);
}

/** Stops the servers; on a busy machine they still answer for a moment. */
async function stopServers(): Promise<void> {
  signal('SIGSTOP');
  for (const { pid } of servers.servers)
    await until(() => /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
}

it('I-1: a start during which NATS stops answering is refused, and leaves nothing behind', async () => {
  const log = pino({ level: 'silent' });
  let http = '';
  const started = await startGateway({
    config: loopbackConfig('dev: true'),
    log,
    journal: await openOnNats(nats()),
    companions: [
      async ({ journal, address }) => {
        http = `http://127.0.0.1:${address.port}`;
        await stopServers();
        for await (const _ of journal.read('main/proposal/1'));
        throw new Error('NATS answered.');
      },
    ],
  });
  signal('SIGCONT');
  expect(started).toMatchObject({ ok: false, refusal: { code: 'unavailable' } });
  await expect(fetch(`${http}/readyz`)).rejects.toThrow('fetch failed');
});

it('I-1: closing ends while NATS is away and messages are in flight, and says what is undecided', async () => {
  const logged: { readonly undecided?: unknown }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const journal = await openOnNats(nats());
  const gateway = await startOnLoopback('{ dev: true, shutdown: { timeout: 1s } }', { journal, log });
  await using agent = await connectPeer(`${gateway.url}/ws`, 'agent');
  await agent.say(chat('before'));
  await stopServers();
  const ids = ['c1', 'c2', 'c3'];
  for (const id of ids) agent.send(chat(id));
  // They were taken when this one is answered.
  agent.send({ id: 'x', kind: 'nothing', payload: {} });
  await agent.error('x');
  await gateway.gateway.close();
  expect(await agent.closed).toBe(1001);
  // Not even refused: they may be in the journal.
  expect(agent.messages.filter((one) => JSON.stringify(one).includes('"c1"'))).toEqual([]);
  signal('SIGCONT');
  const undecided = logged.flatMap((line) => line.undecided ?? []);
  expect(undecided).toMatchObject([{ space: 'main', count: 3, ids: expect.arrayContaining(ids) }]);
  // As their senders would: each counts once.
  await using again = await startOnNats(nats());
  for (const id of ids) expect(await post(again.http, 'agent', chat(id))).toMatchObject({ status: 200 });
  const feed = await ask(`${again.http}/spaces/main/feed?after=0`, 'agent');
  const messages = feed.body['messages'] as readonly { readonly id: string }[];
  expect(messages.map(({ id }) => id).sort()).toEqual(['before', ...ids]);
});
