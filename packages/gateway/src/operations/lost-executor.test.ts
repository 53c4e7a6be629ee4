import { expect, it } from 'vitest';
import { answer, chat, fulfilment, proposal } from '../testing/messages.js';
import { readMetric, until } from '../testing/metrics.js';
import { ask } from '../testing/peers/http.js';
import { connectPeer, type Message, type Peer } from '../testing/peers/peer.js';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.js';

const isUnknown = ({ kind, payload }: Message): boolean =>
  kind === 'system.notice' && payload['notice'] === 'outcome_unknown';

/** Cuts a connection off, and settles when the gateway has noticed. */
async function lose(gateway: TestGateway, peer: Peer): Promise<void> {
  const open = () => readMetric(gateway.http, 'proffer_connections', '{transport="ws"}');
  const before = await open();
  peer.socket.terminate();
  await until(async () => (await open()) === before - 1);
}

it('O-26: whoever just lost the connection is not chosen, and the proposal can be fulfilled when it is back', async () => {
  await using gateway = await startTestGateway();
  await using agent = await connectPeer(gateway.ws, 'agent');
  await using reviewer = await connectPeer(gateway.ws, 'reviewer');
  const tools = await connectPeer(gateway.ws, 'tools');
  await agent.say(proposal('p1'));
  await lose(gateway, tools);

  await expect(reviewer.say(fulfilment('f1', 'p1'))).rejects.toThrow(
    /"executor_absent".*tools.*, which would run it, is not connected\. Try again when it is back/,
  );
  const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'agent');
  expect(body).toMatchObject({ proposal: { phase: 'pending' } });

  await using back = await connectPeer(gateway.ws, 'tools');
  await reviewer.say(fulfilment('f2', 'p1'));
  await back.next(({ id }) => id === 'f2');
  await back.say(answer('a1', 'f2'));
  const { body: after } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'agent');
  expect(after).toMatchObject({ proposal: { phase: 'settled', outcome: { result: 'ok' } } });
});

it('O-26: of two that serve a tool, none takes the place of the one that just lost the connection', async () => {
  await using gateway = await startTestGateway();
  await using agent = await connectPeer(gateway.ws, 'agent');
  await using reviewer = await connectPeer(gateway.ws, 'reviewer');
  const announcement = (id: string) => ({
    id,
    kind: 'mcpx.announce.tools',
    payload: { tools: [{ name: 'write_file' }] },
  });
  const first = await connectPeer(gateway.ws, 'first');
  await first.say(announcement('n1'));
  await using second = await connectPeer(gateway.ws, 'second');
  await second.say(announcement('n2'));
  await agent.say(proposal('p1'));
  await lose(gateway, first);
  await expect(reviewer.say(fulfilment('f1', 'p1', []))).rejects.toThrow(/"executor_absent"/);
  await reviewer.say(fulfilment('f2', 'p1', ['second']));
  expect((await second.next(({ id }) => id === 'f2')).to).toEqual(['second']);
});

it('O-23: what runs goes on when its executor comes back soon after it lost the connection', async () => {
  await using gateway = await startTestGateway();
  await using agent = await connectPeer(gateway.ws, 'agent');
  await using reviewer = await connectPeer(gateway.ws, 'reviewer');
  const tools = await connectPeer(gateway.ws, 'tools');
  await agent.say(proposal('p1'));
  await reviewer.say(fulfilment('f1', 'p1'));
  await lose(gateway, tools);
  await using back = await connectPeer(gateway.ws, 'tools');
  await back.say(answer('a1', 'f1'));
  await agent.say(chat('c1'));
  const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'agent');
  expect(body).toMatchObject({ proposal: { phase: 'settled', outcome: { result: 'ok' } } });
  expect(agent.messages.filter(isUnknown)).toEqual([]);
});
