import { createMemoryJournal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { shared } from '../testing/journals.js';
import { answer, fulfilment, proposal } from '../testing/messages.js';
import { ask, post } from '../testing/peers/http.js';
import { connectPeer, type Message, type Peer } from '../testing/peers/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

const asks = (id: string) => (message: Message) =>
  message.kind.startsWith('mcp.request.') && message.correlationId === id;
const announcement = { id: 'n1', kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'write_file' }] } };
const requestsFor = ({ messages }: Peer, id: string) => messages.filter(asks(id));
const phaseOf = async (http: string, id: string) =>
  ((await ask(`${http}/spaces/main/proposals/${id}`, 'agent')).body['proposal'] as { phase?: string }).phase;

it('O-37: runs an approved plan step by step, also across a restart, and each step once', async () => {
  const journal = createMemoryJournal();
  let request: string;
  {
    await using gateway = await startTestGateway('dev: true', shared(journal));
    await using tools = await connectPeer(gateway.ws, 'tools');
    await tools.say(announcement);
    await post(gateway.http, 'agent', proposal('p1'));
    await post(gateway.http, 'agent', proposal('p2', { depends_on: ['p1'] }));
    await post(gateway.http, 'agent', proposal('p3', { depends_on: ['p2'] }));
    for (const id of ['p3', 'p2', 'p1'])
      expect((await post(gateway.http, 'reviewer', fulfilment(`f-${id}`, id, []))).status).toBe(200);
    expect(await phaseOf(gateway.http, 'p2')).toBe('approved');
    request = (await tools.next(asks('p1'))).id;
    expect(requestsFor(tools, 'p2')).toEqual([]);
  }
  await using gateway = await startTestGateway('dev: true', shared(journal));
  await using tools = await connectPeer(gateway.ws, 'tools');
  await tools.say(answer('x1', request));
  const second = await tools.next(asks('p2'));
  expect(second).toMatchObject({ from: 'reviewer', to: ['tools'] });
  await tools.say(answer('x2', second.id));
  const third = await tools.next(asks('p3'));
  await tools.say(answer('x3', third.id));
  for (const id of ['p2', 'p3']) expect(requestsFor(tools, id)).toHaveLength(1);
  expect(await phaseOf(gateway.http, 'p3')).toBe('settled');
});

it('O-37: does after a restart what fell due during downtime, and waits for an absent executor', async () => {
  const journal = createMemoryJournal();
  {
    await using gateway = await startTestGateway('dev: true', shared(journal));
    await using tools = await connectPeer(gateway.ws, 'tools');
    await tools.say(announcement);
    await post(gateway.http, 'agent', proposal('p1'));
    await post(gateway.http, 'agent', proposal('p2', { depends_on: ['p1'] }));
    await post(gateway.http, 'reviewer', fulfilment('f2', 'p2', []));
    await post(gateway.http, 'reviewer', fulfilment('f1', 'p1', []));
    await tools.next(asks('p1'));
    // Gone before anyone can run the second: the answer comes as the connection ends.
    tools.send(answer('x1', 'f1'));
    tools.socket.close();
    await tools.closed;
  }
  await using gateway = await startTestGateway('dev: true', shared(journal));
  expect(['approved', 'fulfilled']).toContain(await phaseOf(gateway.http, 'p2'));
  await using tools = await connectPeer(gateway.ws, 'tools', { after: '0' });
  await tools.next(asks('p2'));
  expect(requestsFor(tools, 'p2')).toHaveLength(1);
});

it('O-37: refuses an unknown dependency over HTTP with the field of the body', async () => {
  await using gateway = await startTestGateway();
  const body = JSON.stringify({ tool: 'echo', arguments: { text: 'x' }, depends_on: ['nope'] });
  const refused = await ask(`${gateway.http}/spaces/main/proposals`, 'agent', { method: 'POST', body });
  expect(refused).toMatchObject({ status: 404, code: 'unknown_dependency' });
  expect(refused.body['details']).toMatchObject({ field: 'depends_on', found: 'nope' });
});
