import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { ask } from '../testing/peers/http.js';
import { joinAs, ofKind, rootOf } from '../testing/peers/mew-client.js';
import { connectPeer, type Peer } from '../testing/peers/peer.js';
import { serveEcho } from '../testing/peers/script.js';
import { startTestGateway } from '../testing/test-gateway.js';

const ECHO = 'mcp.request.tools/call:echo';

const call = (id: string, text = 'hello') => ({
  id,
  kind: 'mcp.request.tools/call',
  to: ['tools'],
  payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text } } },
});

function grantsOf(http: string) {
  const base = `${http}/spaces/main/grants`;
  const send = (who: string, path: string, body: JsonObject) =>
    ask(`${base}${path}`, who, { method: 'POST', body: JSON.stringify(body) });
  return {
    grant: (body: JsonObject, who = 'reviewer') =>
      send(who, '', { to: 'agent', capabilities: [ECHO], ...body }),
    revoke: (id: string, who = 'reviewer') => send(who, `/${id}/revoke`, {}),
    list: async (who = 'reviewer') => (await ask(base, who)).body['grants'] as readonly JsonObject[],
  };
}

/** The result of a message: it comes back, or there is an error about it. */
async function outcome(peer: Peer, message: ReturnType<typeof call>): Promise<unknown> {
  peer.send(message);
  const told = await peer.next(
    ({ id, kind, correlationId }) =>
      id === message.id || (kind === 'system.error' && correlationId === message.id),
  );
  return told.kind === 'system.error' ? told.payload['error'] : 'taken';
}

describe('grants', () => {
  it('O-41: allow five uses, on any connection and in any form, and then no more', async () => {
    await using gateway = await startTestGateway();
    await using tools = await serveEcho(gateway.ws);
    await using one = await connectPeer(gateway.ws, 'agent');
    await using two = await connectPeer(gateway.ws, 'agent');
    const { grant, list } = grantsOf(gateway.http);
    expect(await outcome(one, call('m0'))).toBe('capability_violation');
    const granted = await grant({ uses: 5, reason: 'careful so far' });
    expect(granted).toMatchObject({
      status: 201,
      body: { status: 'accepted', grant: { granter: 'reviewer', to: 'agent', uses: 5, left: 5 } },
    });
    const told = await one.next(({ kind }) => kind === 'mcpx.grant.capability');
    expect(told).toMatchObject({ from: 'reviewer', payload: { to: 'agent', uses: 5 } });
    // Concurrently: none is counted twice, and none too many gets through.
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => outcome(index % 2 === 0 ? one : two, call(`m${index + 1}`))),
    );
    expect(outcomes.filter((each) => each === 'taken')).toHaveLength(5);
    expect(outcomes.filter((each) => each === 'capability_violation')).toHaveLength(3);
    expect(tools.messages.filter(({ kind }) => kind.startsWith('mcp.request.'))).toHaveLength(5);
    expect(await list()).toEqual([]);
    // The last one again is the same message, not another use.
    const last = outcomes.lastIndexOf('taken');
    const again = await ask(`${gateway.http}/spaces/main/messages`, 'agent', {
      method: 'POST',
      body: JSON.stringify(call(`m${last + 1}`)),
    });
    expect(again.body).toMatchObject({ status: 'duplicate' });
  });

  it('O-22, O-41: keep their count after a restart, and the welcome shows what is left', async () => {
    await using folder = await temporaryFolder();
    const start = async () => startTestGateway('dev: true', await openJournal(folder.path));
    let id: string;
    {
      await using gateway = await start();
      await using agent = await connectPeer(gateway.ws, 'agent');
      id = (await grantsOf(gateway.http).grant({ uses: 2, for: '1h' })).body['id'] as string;
      expect(await outcome(agent, call('m1'))).toBe('taken');
    }
    await using gateway = await start();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const welcome = await agent.next(({ kind }) => kind === 'system.welcome');
    expect(welcome.payload['grants']).toMatchObject([{ id, granter: 'reviewer', uses: 2, left: 1 }]);
    expect(await outcome(agent, call('m2'))).toBe('taken');
    expect(await outcome(agent, call('m3'))).toBe('capability_violation');
  });

  it('O-41: end at once when revoked; those who may not revoke cannot', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const { grant, revoke, list } = grantsOf(gateway.http);
    const id = (await grant({ for: '1h' })).body['id'] as string;
    expect(await outcome(agent, call('m1'))).toBe('taken');
    expect(await revoke(id, 'agent')).toMatchObject({ status: 403, code: 'capability_violation' });
    expect(await list('agent')).toMatchObject([{ id, until: expect.any(Number) }]);
    expect(await revoke(id)).toMatchObject({ status: 200, body: { status: 'accepted' } });
    expect(await outcome(agent, call('m2'))).toBe('capability_violation');
    expect(await revoke(id)).toMatchObject({ status: 404, code: 'unknown_grant' });
  });

  it('O-41: for a session end when the participant has left', async () => {
    await using gateway = await startTestGateway();
    const { grant, list } = grantsOf(gateway.http);
    expect(await grant({})).toMatchObject({ status: 404, code: 'target_not_found' });
    {
      await using agent = await connectPeer(gateway.ws, 'agent');
      expect((await grant({})).body).toMatchObject({ grant: { session: true } });
      expect(await outcome(agent, call('m1'))).toBe('taken');
    }
    await expect.poll(() => list()).toEqual([]);
  });

  it('O-5, O-41: are rejected with the field that is wrong', async () => {
    await using gateway = await startTestGateway();
    const { grant } = grantsOf(gateway.http);
    const wrong = { status: 400, code: 'invalid_field' };
    expect(await grant({ for: 'long' })).toMatchObject({ ...wrong, body: { details: { field: 'for' } } });
    expect(await grant({ for: '1h', until: 5 })).toMatchObject({
      ...wrong,
      body: { details: { field: 'for' } },
    });
    expect(await grant({ uses: 0 })).toMatchObject({ ...wrong, body: { details: { field: 'uses' } } });
    expect(await grant({ for: '1h', capabilities: ['mcpx.approve.proposal'] })).toMatchObject({
      status: 403,
      code: 'not_grantable',
    });
    expect(await grant({ for: '1h' }, 'agent')).toMatchObject({ code: 'capability_violation' });
  });

  it('O-41, O-43: are listed only to those concerned if messages are private', async () => {
    await using gateway = await startTestGateway('dev: true\nspaces: { main: { visibility: addressed } }');
    const { grant, list } = grantsOf(gateway.http);
    await grant({ for: '1h' });
    expect(await list('agent')).toHaveLength(1);
    expect(await list('tools')).toEqual([]);
  });
});

describe('dev mode capabilities', () => {
  it('O-44: let an agent renew, counter and accept, but not approve, grant or revoke', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const send = async (kind: string, payload: JsonObject) => {
      const id = `k-${kind}`;
      agent.send({ id, kind, correlationId: 'nothing', payload });
      const refusal = await agent.next(
        (message) => message.kind === 'system.error' && message.correlationId === id,
      );
      return refusal.payload['error'];
    };
    expect(await send('mcpx.renew.proposal', { ttl: 1_000 })).toBe('unknown_proposal');
    expect(await send('mcpx.counter.proposal', { params: {}, reason: 'x' })).toBe('unknown_proposal');
    expect(await send('mcpx.accept.counter', {})).toBe('unknown_counter');
    expect(await send('mcpx.approve.proposal', { digest: 'x' })).toBe('capability_violation');
    expect(await send('mcpx.grant.capability', { to: 'x', capabilities: ['*'] })).toBe(
      'capability_violation',
    );
    expect(await send('mcpx.revoke.capability', {})).toBe('capability_violation');
  });
});

describe('grants of mew clients', () => {
  it('O-7, O-41: apply capability/grant and capability/revoke, and welcome the recipient again', async () => {
    await using gateway = await startTestGateway();
    await using tools = await serveEcho(gateway.ws);
    const join = (name: string) =>
      joinAs(rootOf(gateway.http), { type: 'join', space: 'main', token: name, participantId: name });
    await using human = await join('reviewer');
    await using coder = await join('coder');
    await coder.next(ofKind('system/welcome'));
    await human.next(ofKind('system/welcome'));
    const request = (id: string) =>
      coder.send({
        id,
        kind: 'mcp/request',
        to: ['tools'],
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } },
      });
    const capability = { kind: 'mcp/request', payload: { method: 'tools/call', params: { name: 'echo' } } };
    human.send({
      id: 'reviewer-1',
      kind: 'capability/grant',
      to: ['coder'],
      payload: { recipient: 'coder', capabilities: [capability], reason: 'careful so far' },
    });
    const told = await coder.next(ofKind('capability/grant'));
    expect(told).toMatchObject({
      from: 'reviewer',
      payload: { recipient: 'coder', capabilities: [capability] },
    });
    const mayCall = (message: JsonObject) => JSON.stringify(message['payload']).includes('"name":"echo"');
    await coder.next((message) => ofKind('system/welcome')(message) && mayCall(message));
    request('coder-1');
    await tools.next(({ kind }) => kind.startsWith('mcp.request.'));
    await human.next((message) => ofKind('mcp/request')(message) && message['from'] === 'coder');
    human.send({
      id: 'reviewer-2',
      kind: 'capability/revoke',
      payload: { recipient: 'coder', grant_id: 'reviewer-1' },
    });
    await coder.next(ofKind('capability/revoke'));
    request('coder-2');
    const refusal = await coder.next(ofKind('system/error'));
    expect(refusal).toMatchObject({
      payload: { error: 'capability_violation', attempted_kind: 'mcp/request' },
    });
  });
});
