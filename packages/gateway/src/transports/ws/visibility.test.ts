import { describe, expect, it } from 'vitest';
import { answer, chat, fulfilment, proposal, withdrawal } from '../../testing/messages.js';
import { ask, post } from '../../testing/peers/http.js';
import { connectPeer, type Peer } from '../../testing/peers/peer.js';
import { startTestGateway } from '../../testing/test-gateway.js';

const ids = ({ messages }: Peer) => messages.filter(({ seq }) => seq !== undefined).map(({ id }) => id);

describe('presence', () => {
  it('O-26: served tools are in presence and in the welcome, and determine the executor', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    expect((await agent.next(({ kind }) => kind === 'system.presence')).payload).toMatchObject({
      event: 'join',
      participant: { id: 'tools' },
    });
    const announce = { kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'write_file' }] } };
    await tools.say({ id: 't1', ...announce });
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const { payload } = await reviewer.next(({ kind }) => kind === 'system.welcome');
    const served = { id: 'tools', serves: { tools: [{ name: 'write_file' }] } };
    expect(payload['participants']).toContainEqual(expect.objectContaining(served));
    await agent.say(proposal('p1'));
    expect(await reviewer.say(fulfilment('f1', 'p1', []))).toMatchObject({ to: ['tools'] });
    await using other = await connectPeer(gateway.ws, 'other');
    await other.say({ id: 't2', ...announce });
    await agent.say(proposal('p2'));
    // Announcing what someone else serves takes nothing away from them.
    expect(await reviewer.say(fulfilment('f2', 'p2', []))).toMatchObject({ to: ['tools'] });
  });

  it('O-26: a proposer does not run its own call; a pending proposal shows who would', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using guard = await connectPeer(gateway.ws, 'files');
    const announce = { kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'write_file' }] } };
    await agent.say({ id: 't1', ...announce });
    await agent.say(proposal('p1'));
    await guard.say({ id: 't2', ...announce });
    await guard.say(proposal('p2', { executor: 'files' }));
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const { payload } = await reviewer.next(({ kind }) => kind === 'system.welcome');
    expect(payload['pending']).toMatchObject([
      { id: 'p1', wouldRun: { name: 'files', isConnected: true, isProposer: false } },
      { id: 'p2', wouldRun: { name: 'files', isConnected: true, isProposer: true } },
    ]);
    reviewer.send(fulfilment('f1', 'p1', ['agent']));
    expect(await reviewer.error('f1')).toMatchObject({ error: 'own_call', executor: 'agent' });
    expect(await reviewer.say(fulfilment('f2', 'p2', []))).toMatchObject({ to: ['files'] });
  });

  it('O-27: the welcome says who you are, what you may do, what is pending and where you are', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await agent.say(proposal('p1'));
    await agent.say(proposal('p2'));
    const { seq } = await agent.say(withdrawal('w1', 'p1'));
    await using again = await connectPeer(gateway.ws, 'agent');
    const [welcome] = [await again.next(() => true)];
    expect(welcome).toMatchObject({ kind: 'system.welcome', from: 'system:gateway', to: ['agent'] });
    expect(welcome?.payload).toMatchObject({ you: { id: 'agent' }, pending: [{ id: 'p2' }], seq });
    expect(JSON.stringify(welcome?.payload['you'])).toContain('mcp.proposal.*');
  });
});

describe('future position', () => {
  it('I-6: is refused on every path, with the current position of the space', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const { seq = 0 } = await agent.say(chat('c1'));
    const feed = `${gateway.http}/spaces/main/feed?after=${seq + 1}`;
    const refused = { status: 400, code: 'future_cursor' };
    expect(await ask(feed, 'agent')).toMatchObject(refused);
    expect(await ask(feed, 'agent', { headers: { accept: 'text/event-stream' } })).toMatchObject(refused);
    await expect(connectPeer(gateway.ws, 'agent', { after: `${seq + 1}` })).rejects.toThrow(
      /400|future_cursor/,
    );
    expect(await ask(`${gateway.http}/spaces/main/feed?after=${seq}`, 'agent')).toMatchObject({
      status: 200,
    });
  });
});

describe('visibility', () => {
  it('O-21: everyone sees everything; directed routing delivers what is addressed to the client', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using all = await connectPeer(gateway.ws, 'other');
    await using directed = await connectPeer(gateway.ws, 'tools', { routing: 'directed' });
    await agent.say(chat('c1'));
    await agent.say({ ...chat('c2'), to: ['reviewer'] });
    await agent.say({ ...chat('c3'), to: ['tools'] });
    await agent.say(chat('c4'));
    await all.next(({ id }) => id === 'c4');
    await directed.next(({ id }) => id === 'c4');
    expect(ids(all)).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(ids(directed)).toEqual(['c1', 'c3', 'c4']);
  });

  it('O-21, O-14, O-43: in a space set to addressed, only those concerned and observers see it, on every path', async () => {
    await using gateway = await startTestGateway('dev: true\nspaces: { main: { visibility: addressed } }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await using stranger = await connectPeer(gateway.ws, 'stranger');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await agent.say({ ...chat('secret'), to: ['tools'] });
    await agent.say({ ...proposal('p1'), to: ['reviewer'] });
    await agent.say({ ...proposal('p2'), to: ['tools'] });
    await agent.say({ ...proposal('p3'), to: ['boss'] });
    await reviewer.say(fulfilment('f1', 'p1'));
    await tools.say({ ...answer('a1', 'f1'), to: ['reviewer'] });
    await agent.say(chat('open'));
    for (const peer of [tools, stranger, reviewer]) await peer.next(({ id }) => id === 'open');
    expect(ids(stranger)).toEqual(['open']);
    // The response reaches the proposer, although it was not addressed to it.
    expect(ids(agent)).toContain('a1');
    expect(ids(tools)).toEqual(['secret', 'p2', 'f1', 'a1', 'open']);
    // The observer sees all.
    expect(ids(reviewer).filter((id) => !id?.startsWith('system:'))).toEqual([
      'secret',
      'p1',
      'p2',
      'p3',
      'f1',
      'a1',
      'open',
    ]);

    const space = `${gateway.http}/spaces/main`;
    const feed = await ask(`${space}/feed`, 'stranger');
    expect(feed.body['messages']).toMatchObject([{ id: 'open' }]);
    expect((await ask(`${space}/proposals`, 'stranger')).body).toEqual({ proposals: [] });
    expect(await ask(`${space}/proposals/p2`, 'stranger')).toMatchObject({
      status: 404,
      code: 'unknown_proposal',
    });
    expect((await ask(`${space}/proposals/p2`, 'tools')).status).toBe(200);
    await using late = await connectPeer(gateway.ws, 'stranger', { after: '0' });
    const { payload } = await late.next(({ kind }) => kind === 'system.welcome');
    expect(payload['pending']).toEqual([]);
    await late.next(({ id }) => id === 'open');
    expect(ids(late)).toEqual(['open']);
    // An outsider cannot tell what it may not see from what does not exist (O-43).
    for (const kind of ['mcpx.reject.proposal', 'mcpx.status.proposal', 'mcpx.withdraw.proposal']) {
      const about = (correlationId: string) =>
        post(gateway.http, 'tools', {
          id: `${kind}-${correlationId}`,
          kind,
          correlationId,
          payload: { reason: 'busy', status: 'queued' },
        });
      const [hidden, missing] = [await about('p3'), await about('p4')];
      expect(hidden.status).toBe(missing.status);
      expect(JSON.stringify(hidden.body).replaceAll('p3', 'p4')).toBe(JSON.stringify(missing.body));
    }
    await using helper = await connectPeer(gateway.ws, 'tools');
    const welcome = await helper.next(({ kind }) => kind === 'system.welcome');
    expect(welcome.payload['pending']).toMatchObject([{ id: 'p2' }]);
  });
});
