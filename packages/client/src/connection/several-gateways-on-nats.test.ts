import { startOnLoopback } from '@proffer/gateway';
import { openNatsJournal } from '@proffer/journal/nats';
import { startNatsServers } from '@proffer/journal/testing';
import { expect, it } from 'vitest';
import { connect, type Participant } from '../node.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

it('I-2, I-6: when its gateway is gone, a client goes on at another one: nothing is missed, nothing runs twice', async () => {
  await using servers = await startNatsServers();
  const start = async () => {
    const opened = await openNatsJournal({ servers: servers.urls, replicas: 1 });
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
  const heard: unknown[] = [];
  reviewer.on('message', ({ kind, payload }) => {
    if (kind === 'chat.message') heard.push(payload['text']);
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
  await expect.poll(() => heard).toEqual(['before', 'after', 'last']);
  await closing;
});
