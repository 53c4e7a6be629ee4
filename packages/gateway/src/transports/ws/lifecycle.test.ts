import { expect, it } from 'vitest';
import { connectPeer, type Message } from '../../testing/peers/peer.js';
import { startTestGateway } from '../../testing/test-gateway.js';

const CALL = { method: 'tools/call', params: { name: 'write_file', arguments: { path: '/a' } } };
const proposal = { id: 'p1', kind: 'mcp.proposal.tools/call', payload: CALL };
const fulfilment = { kind: 'mcp.request.tools/call', to: ['tools'], correlationId: 'p1', payload: CALL };
const hasId = (id: string) => (message: Message) => message.id === id;
const isError = (about: string) => (message: Message) =>
  message.kind === 'system.error' && message.correlationId === about;

it('O-12, O-14: a proposal reaches its result over real sockets, and runs once', async () => {
  await using gateway = await startTestGateway();
  await using agent = await connectPeer(gateway.ws, 'agent');
  await using reviewer = await connectPeer(gateway.ws, 'reviewer');
  await using tools = await connectPeer(gateway.ws, 'tools');

  agent.send(proposal);
  expect(await reviewer.next(hasId('p1'))).toMatchObject({ from: 'agent', kind: 'mcp.proposal.tools/call' });
  reviewer.send({ ...fulfilment, id: 'f1' });
  reviewer.send({ ...fulfilment, id: 'f2' });
  await tools.next(hasId('f1'));
  expect((await reviewer.next(isError('f2'))).payload).toMatchObject({
    error: 'proposal_not_pending',
    state: 'fulfilled',
    by: 'reviewer',
  });
  tools.send({
    id: 'a1',
    kind: 'mcp.response.tools/call',
    correlationId: 'f1',
    payload: { result: { ok: 1 } },
  });
  expect((await agent.next(hasId('a1'))).payload).toEqual({ result: { ok: 1 } });
  expect(tools.messages.filter(({ id }) => id === 'f2')).toEqual([]);
});

it('O-27: the first message is the welcome', async () => {
  await using gateway = await startTestGateway();
  await using agent = await connectPeer(gateway.ws, 'agent');
  agent.send(proposal);
  await agent.next(hasId('p1'));
  await using reviewer = await connectPeer(gateway.ws, 'reviewer');
  const welcome = await reviewer.next(() => true);
  expect(welcome).toMatchObject({
    kind: 'system.welcome',
    from: 'system:gateway',
    to: ['reviewer'],
    payload: { you: { id: 'reviewer' }, participants: [{ id: 'agent' }], pending: [{ id: 'p1' }] },
  });
});

it('I-6, O-4: a client that returns with the last seq gets everything after it, once and in order', async () => {
  await using gateway = await startTestGateway();
  await using agent = await connectPeer(gateway.ws, 'agent');
  for (let count = 0; count < 700; count++)
    agent.send({ id: `c${count}`, kind: 'chat.message', payload: { text: 'x' } });
  const hundredth = await agent.next(hasId('c99'));
  await using late = await connectPeer(gateway.ws, 'reviewer', { after: String(hundredth.seq) });
  for (let count = 700; count < 1000; count++)
    agent.send({ id: `c${count}`, kind: 'chat.message', payload: { text: 'x' } });
  await late.next(hasId('c999'));
  const chats = late.messages.filter(({ kind }) => kind === 'chat.message');
  expect(chats.map(({ id }) => id)).toEqual(Array.from({ length: 900 }, (_, index) => `c${index + 100}`));
  const seqs = chats.map(({ seq }) => seq ?? 0);
  expect(seqs).toEqual([...seqs].sort((left, right) => left - right));
});
