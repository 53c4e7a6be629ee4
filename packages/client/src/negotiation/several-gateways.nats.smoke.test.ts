import { startOnLoopback } from '@proffer/gateway';
import { openNatsJournal } from '@proffer/journal/nats';
import { type NatsServers, startNatsServers, TEST_ACCESS } from '@proffer/journal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUICK } from '../testing/joining.js';
import { devAgent, MacpClient, ProposalSession } from './index.js';
import { grpcTransport, httpTransport } from './node.js';

let servers: NatsServers;
beforeAll(async () => {
  servers = await startNatsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

type Started = Awaited<ReturnType<typeof startOnLoopback>>;
const origin = ({ port }: Started): string => `http://127.0.0.1:${port}`;

describe.each([
  ['HTTP', (gateways: readonly Started[]) => httpTransport({ url: gateways.map(origin), live: 'events' })],
  [
    'WebSocket',
    (gateways: readonly Started[]) => httpTransport({ url: gateways.map(origin), live: 'websocket' }),
  ],
  [
    'gRPC',
    (gateways: readonly Started[]) =>
      grpcTransport({ target: gateways.map(({ grpcPort }) => `127.0.0.1:${grpcPort}`).join(',') }),
  ],
])('over %s', (name, open) => {
  it('I-2, I-6, N-6: a session continues at another gateway, for senders and followers', async () => {
    const start = async (): Promise<Started> => {
      const stream = `negotiating-${name.toLowerCase()}`;
      const opened = await openNatsJournal({ ...TEST_ACCESS, servers: servers.urls, stream, replicas: 1 });
      if (!opened.ok) throw new Error(opened.refusal.message);
      return await startOnLoopback('dev: true', { journal: opened.value });
    };
    const first = await start();
    await using second = await start();
    const gateways = [first, second];
    const clientOf = (sender: string): MacpClient =>
      new MacpClient({ transport: open(gateways), auth: devAgent(sender), ...QUICK });
    await using buyer = clientOf('buyer');
    await using seller = clientOf('seller');
    const speaking = new ProposalSession(buyer);
    await speaking.start({ intent: 'a contract', participants: ['buyer', 'seller'], ttlMs: 60_000 });
    await using following = await ProposalSession.join(seller, speaking.sessionId);
    await speaking.propose('p1', 'before');
    const closing = first.gateway.close();
    await speaking.propose('p2', 'after');
    await following.accept('p2');
    await speaking.accept('p2');
    await speaking.commit({ action: 'agreed', authorityScope: 'all', reason: 'both agree' });
    await closing;
    const types: string[] = [];
    for await (const { envelope } of following) types.push(envelope.message_type);
    expect(types).toEqual(['SessionStart', 'Proposal', 'Proposal', 'Accept', 'Accept', 'Commitment']);
    expect(following.projection.phase).toBe('Committed');
    await speaking.close();
  });
});
