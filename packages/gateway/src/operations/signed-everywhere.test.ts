import { type JsonObject, textOf } from '@proffer/core/json';
import { createMemoryJournal, EVERY_SPACE } from '@proffer/journal';
import { expect, it } from 'vitest';
import { call, fulfilment, proposal } from '../testing/messages.js';
import { ask } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

const CONFIG = (space: string): string => `
dev: true
participants:
  ann: { spaces: { main: ["*"] }, roles: [finance] }
  deputy: { spaces: { main: ["*"] } }
spaces: { main: ${space} }
`;

const ENTRY =
  '{ review: [{ name: signing, call: "mcp.request.tools/call:*", from: [ann], signed: true, agents: { from: [deputy], per_hour: 9 } }] }';

it.each([
  ['a review entry', ENTRY],
  ['the space', '{ signed: true }'],
])(
  'O-49: where %s demands signatures, nothing runs without one, whichever way somebody tries',
  async (_, space) => {
    const journal = createMemoryJournal();
    await using gateway = await startTestGateway(CONFIG(space), journal);
    await using tools = await connectPeer(gateway.ws, 'tools');
    await tools.say({ id: 'n1', kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'write_file' }] } });
    const enter = (name: string) => connectPeer(gateway.ws, name);
    await using agent = await enter('agent');
    await using ann = await enter('ann');
    await using deputy = await enter('deputy');
    const send = async (path: string, body: JsonObject, who = 'ann') =>
      await ask(`${gateway.http}/spaces/main${path}`, who, { method: 'POST', body: JSON.stringify(body) });
    const propose = async (id: string, more: object = {}): Promise<string> => {
      await agent.say(proposal(id, more));
      const { body } = await ask(`${gateway.http}/spaces/main/proposals/${id}`, 'ann');
      return textOf((body['proposal'] as JsonObject)['digest']);
    };
    const codes: unknown[] = [];

    // A request, an approval, one of several at once, and one that waits for another call.
    const digest = await propose('p1');
    ann.send(fulfilment('f1', 'p1'));
    codes.push(textOf((await ann.error('f1'))['error']));
    for (const more of [{}, { batch: 'b1' }])
      codes.push((await send('/proposals/p1/approve', { digest, ...more })).code);
    await propose('p2', { depends_on: ['p1'] });
    codes.push((await send('/proposals/p2/approve', { digest })).code);
    expect(codes).toEqual([
      'signature_required',
      'signature_required',
      'signature_required',
      'signature_required',
    ]);

    // A deputy, who may approve in her place, or alone within limits.
    await send('/delegation', { to: 'deputy', until: new Date(Date.now() + 60_000).toISOString() });
    expect((await send('/proposals/p1/approve', { digest }, 'deputy')).code).toBe('signature_required');

    // Her counter-offer, once it is accepted.
    const countered = await send('/proposals/p1/counter', { arguments: { path: '/b' }, reason: 'better' });
    expect(countered.status).toBe(200);
    const accepted = await send('/proposals/p1/accept', { counter: textOf(countered.body['id']) }, 'agent');
    expect(accepted.code).toBe('signature_required');

    // A grant for the same call.
    const granted = await send('/grants', {
      to: 'agent',
      capabilities: ['mcp.request.tools/call:*'],
      for: '1h',
    });
    expect(granted.status).toBe(201);
    agent.send({ id: 'd1', kind: 'mcp.request.tools/call', to: ['tools'], payload: call() });
    expect(textOf((await agent.error('d1'))['error'])).toBe('approval_required');
    await propose('p3');

    // Signatures that are none.
    for (const signature of [{}, { key: 'x', at: Date.now(), digests: [], signature: '' }])
      expect((await send('/proposals/p1/approve', { digest, signature })).status).not.toBe(200);

    const types: string[] = [];
    for await (const { type } of journal.feed(EVERY_SPACE, 0, { follow: false })) types.push(type);
    expect(types).not.toContain('fulfilled');
    expect(types).not.toContain('approved');
    expect(deputy.messages.some(({ kind }) => kind.startsWith('mcp.request'))).toBe(false);
  },
);
