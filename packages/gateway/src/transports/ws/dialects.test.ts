import { expect, it } from 'vitest';
import { call } from '../../testing/messages.js';
import { connectPeer } from '../../testing/peers/peer.js';
import { startTestGateway } from '../../testing/test-gateway.js';

it('O-12, O-14: three dialects complete a proposal together, each reading its own', async () => {
  await using gateway = await startTestGateway();
  await using mew = await connectPeer(gateway.ws, 'agent', { dialect: 'mew/v0.4' });
  await using slash = await connectPeer(gateway.ws, 'reviewer', { dialect: 'mcpx-slash' });
  await using canonical = await connectPeer(gateway.ws, 'tools');
  const hasId = (wanted: string) => (message: { readonly id: string }) => message.id === wanted;

  expect(await mew.next(() => true)).toMatchObject({ protocol: 'mew/v0.4', kind: 'system/welcome' });
  expect(await slash.next(() => true)).toMatchObject({ protocol: 'mcpx/v0.1', kind: 'system/welcome' });
  expect(await canonical.next(() => true)).toMatchObject({ protocol: 'mcpx/v0.1', kind: 'system.welcome' });

  mew.send({ protocol: 'mew/v0.4', id: 'p1', kind: 'mcp/proposal', payload: call() });
  expect(await slash.next(hasId('p1'))).toMatchObject({ kind: 'mcp/proposal:tools/call', from: 'agent' });
  expect(await canonical.next(hasId('p1'))).toMatchObject({ kind: 'mcp.proposal.tools/call' });

  slash.send({
    id: 'f1',
    kind: 'mcp/request:tools/call',
    to: ['tools'],
    correlation_id: 'p1',
    payload: call(),
  });
  expect(await canonical.next(hasId('f1'))).toMatchObject({
    kind: 'mcp.request.tools/call',
    to: ['tools'],
    correlationId: 'p1',
  });
  expect(await mew.next(hasId('f1'))).toMatchObject({
    protocol: 'mew/v0.4',
    kind: 'mcp/request',
    correlation_id: ['p1'],
  });

  canonical.send({ id: 'a1', kind: 'mcp.response.tools/call', correlationId: 'f1', payload: { result: {} } });
  expect(await mew.next(hasId('a1'))).toMatchObject({ kind: 'mcp/response', correlation_id: ['f1'] });
  expect(await slash.next(hasId('a1'))).toMatchObject({
    kind: 'mcp/response:tools/call',
    correlation_id: 'f1',
  });

  // Errors too are written in the sender's dialect.
  mew.send({ protocol: 'mew/v0.4', id: 'w1', kind: 'mcp/withdraw', correlation_id: ['none'], payload: {} });
  expect(await mew.next(({ kind }) => kind === 'system/error')).toMatchObject({
    protocol: 'mew/v0.4',
    correlation_id: ['w1'],
    payload: { error: 'unknown_proposal' },
  });
});

it('O-12: a client that does not name its dialect is answered in the one it writes', async () => {
  await using gateway = await startTestGateway();
  await using legacy = await connectPeer(gateway.ws, 'agent');
  await using reviewer = await connectPeer(gateway.ws, 'reviewer');
  legacy.send({ id: 'p1', kind: 'proposal', payload: { ...call(), preferred: 'reviewer' } });
  expect(await reviewer.next(({ id }) => id === 'p1')).toMatchObject({
    kind: 'mcp.proposal.tools/call',
    payload: { targeting: { preferred: ['reviewer'] } },
  });
  expect(await legacy.next(({ id }) => id === 'p1')).toMatchObject({ kind: 'proposal' });
  reviewer.send({
    id: 'r1',
    kind: 'mcpx.reject.proposal',
    correlationId: 'p1',
    payload: { reason: 'unsafe' },
  });
  expect(await legacy.next(({ id }) => id === 'r1')).toMatchObject({
    kind: 'proposal-reject',
    payload: { reason: 'unsafe', proposal_id: 'p1' },
  });
});

it.each([
  ['mcpx', { kind: 'mcp.proposal.tools/call', payload: call() }],
  ['mcpx-slash', { kind: 'mcp/proposal:tools/call', payload: call() }],
  ['legacy', { kind: 'proposal', payload: call() }],
] as const)('O-3: a message without an id gets one in %s', async (_, message) => {
  await using gateway = await startTestGateway();
  await using agent = await connectPeer(gateway.ws, 'agent');
  await using reviewer = await connectPeer(gateway.ws, 'reviewer');
  agent.socket.send(JSON.stringify(message));
  agent.socket.send(JSON.stringify(message));
  const isProposal = ({ kind }: { readonly kind: string }) => kind === 'mcp.proposal.tools/call';
  const first = await reviewer.next(isProposal);
  const second = await reviewer.next((other) => isProposal(other) && other.id !== first.id);
  expect([first.from, second.from]).toEqual(['agent', 'agent']);
});
