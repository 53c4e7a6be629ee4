import { startOnLoopback } from '@proffer/gateway';
import { openNatsJournal } from '@proffer/journal/nats';
import { startNatsServers, TEST_ACCESS } from '@proffer/journal/testing';
import { expect, it } from 'vitest';
import { createHttpClient } from '../http/index.js';
import { connect, type Participant } from '../node.js';
import { startRelay } from '../testing/relay.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

it('I-2, I-6: if its gateway is gone, a client continues at another one: nothing is missed, nothing runs twice', async () => {
  await using servers = await startNatsServers();
  const start = async () => {
    const opened = await openNatsJournal({ ...TEST_ACCESS, servers: servers.urls, replicas: 1 });
    if (!opened.ok) throw new Error(opened.refusal.message);
    return await startOnLoopback('dev: true', { journal: opened.value });
  };
  const first = await start();
  await using second = await start();
  const url = [first.url, second.url];
  const join = (token: string): Promise<Participant> => connect({ url, token, space: 'main' });
  await using agent = await join('agent');
  await using reviewer = await join('reviewer');
  await using tools = await join('tools');
  const calls = await serveWriting(tools);
  const received: unknown[] = [];
  reviewer.on('message', ({ kind, payload }) => {
    if (kind === 'chat.message') received.push(payload['text']);
  });
  const proposal = agent.propose('tools/call', writing('/a'));
  await proposal.accepted;
  await agent.chat('before');

  const closing = first.gateway.close();
  await agent.chat('after');
  reviewer.onProposal(({ fulfil }) => fulfil());
  expect(await proposal).toEqual(wrote('/a'));
  expect(calls).toEqual([{ path: '/a' }]);
  await agent.chat('last');
  await expect.poll(() => received).toEqual(['before', 'after', 'last']);
  await closing;
});

it('I-2: connections and requests leave a gateway that has lost its journal for another one', async () => {
  await using servers = await startNatsServers();
  const start = async (nats: readonly string[]) => {
    const opened = await openNatsJournal({ ...TEST_ACCESS, servers: nats, replicas: 1 });
    if (!opened.ok) throw new Error(opened.refusal.message);
    return await startOnLoopback('dev: true', { journal: opened.value });
  };
  const relay = await startRelay(Number(new URL(servers.urls[0] ?? '').port));
  await using first = await start([relay.url.replace('ws:', 'nats:')]);
  await using second = await start(servers.urls);
  const url = [first.url, second.url];
  await using agent = await connect({ url, token: 'agent', space: 'main' });
  const script = createHttpClient({ url, token: 'agent', space: 'main', answerWithin: 1_500 });
  await agent.chat('before');
  await relay[Symbol.asyncDispose]();
  const [sent] = await Promise.all([
    script.send({ kind: 'chat.message', payload: { text: 'a script' } }),
    agent.chat('a connection'),
  ]);
  expect(sent.status).toBe('accepted');
  const { messages } = await createHttpClient({ url: second.url, token: 'agent', space: 'main' }).feed(0);
  const texts = new Set(messages.map(({ payload }) => payload['text']));
  expect(texts).toEqual(new Set(['before', 'a script', 'a connection']));
  expect(messages).toHaveLength(3);
});
