import { describe, expect, it } from 'vitest';
import { call, fulfilment, proposal } from '../../../testing/messages.js';
import { joinAs, ofId, ofKind, rootOf } from '../../../testing/peers/mew-client.js';
import { connectPeer } from '../../../testing/peers/peer.js';
import { connectRaw, type Raw } from '../../../testing/peers/raw.js';
import { startTestGateway } from '../../../testing/test-gateway.js';
import { createToken } from '../../../token.js';

describe('unmodified mew client', () => {
  it('O-7, O-27: joins with its first message, and receives everything in its own dialect', async () => {
    await using gateway = await startTestGateway();
    const join = { type: 'join', space: 'main', token: 'agent', participantId: 'agent', capabilities: [] };
    await using client = await joinAs(rootOf(gateway.http), join);
    expect(await client.next(ofKind('system/welcome'))).toMatchObject({
      protocol: 'mew/v0.4',
      payload: { you: { id: 'agent', capabilities: expect.arrayContaining([{ kind: 'mcp/proposal' }]) } },
    });
    client.send({ id: 'agent-1', from: 'agent', kind: 'mcp/request', payload: call() });
    expect(await client.next(ofKind('system/error'))).toMatchObject({
      correlation_id: ['agent-1'],
      payload: { error: 'capability_violation', attempted_kind: 'mcp/request' },
    });
    // A malformed frame, in any dialect, changes nothing.
    client.raw('{"kind":"proposal"}');
    client.send({ id: 'agent-2', from: 'agent', kind: 'chat', payload: { text: 'still here' } });
    expect(await client.next(ofId('agent-2'))).toMatchObject({ protocol: 'mew/v0.4', kind: 'chat' });
  });

  it('O-3: may count its ids from 1 again in every process, and recognises its own', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const join = {
      kind: 'system/join',
      payload: { space: 'main', token: 'agent', participantId: 'client-7' },
    };
    for (const text of ['first', 'second']) {
      await using client = await joinAs(`${rootOf(gateway.http)}/ws`, join);
      const payload = { ...call(), params: { name: 'echo', arguments: { text } } };
      client.send({ id: 'client-7-1', from: 'client-7', kind: 'mcp/proposal', payload });
      expect(await client.next(ofId('client-7-1'))).toMatchObject({ from: 'agent', payload });
      const seen = await reviewer.next(({ payload: { params } }) =>
        JSON.stringify(params ?? '').includes(text),
      );
      expect(seen.id).toMatch(/^client-7-1~[\w-]{8}$/);
      reviewer.send({
        id: `r-${text}`,
        kind: 'mcpx.reject.proposal',
        correlationId: seen.id,
        payload: { reason: 'unsafe' },
      });
      expect(await client.next(ofId(`r-${text}`))).toMatchObject({
        kind: 'mcp/reject',
        correlation_id: ['client-7-1'],
      });
      client.send({
        id: 'client-7-2',
        from: 'client-7',
        kind: 'mcp/withdraw',
        correlation_id: ['client-7-1'],
      });
      expect(await client.next(ofId('client-7-2'))).toMatchObject({ correlation_id: ['client-7-1'] });
    }
  });

  it('O-7: may have its token in the header, in the join or in both, but only one token', async () => {
    await using gateway = await startTestGateway();
    const join = { type: 'join', space: 'main', participantId: 'agent' };
    const authorization = 'Bearer agent';
    for (const token of [{}, { token: 'agent' }]) {
      await using client = await joinAs(rootOf(gateway.http), { ...join, ...token }, { authorization });
      expect(await client.next(ofKind('system/welcome'))).toMatchObject({
        payload: { you: { id: 'agent' } },
      });
    }
    await using two = await joinAs(rootOf(gateway.http), { ...join, token: 'reviewer' }, { authorization });
    expect(await two.closed).toEqual({ code: 1008, reason: 'unauthenticated' });
    await using none = await joinAs(rootOf(gateway.http), join);
    expect(await none.closed).toEqual({ code: 1008, reason: 'unauthenticated' });
  });

  it('O-7: may join after it was let in, and then a message without protocol is mew’s', async () => {
    await using gateway = await startTestGateway();
    const url = `${rootOf(gateway.http)}/ws?space=main`;
    const authorization = 'Bearer reviewer';
    const join = { type: 'join', space: 'main', token: 'reviewer', participantId: 'reviewer' };
    await using client = await joinAs(url, join, { authorization });
    expect(await client.next(ofKind('system/welcome'))).toMatchObject({ protocol: 'mew/v0.4' });
    await using agent = await connectPeer(gateway.ws, 'agent');
    client.raw(
      JSON.stringify({
        id: 'reviewer-1',
        kind: 'capability/grant',
        payload: { recipient: 'agent', capabilities: [{ kind: 'mcp/request', to: ['tools'] }] },
      }),
    );
    expect(await client.next(ofId('reviewer-1'))).toMatchObject({
      protocol: 'mew/v0.4',
      kind: 'capability/grant',
      payload: { recipient: 'agent' },
    });
    // Granted to one addressee, and to no other.
    agent.send({ id: 'a-1', kind: 'mcp.request.tools/call', to: ['shell'], payload: call() });
    expect(await agent.error('a-1')).toMatchObject({ error: 'capability_violation' });
    for (const other of [{ token: 'agent' }, { space: 'side' }]) {
      await using wrong = await joinAs(url, { ...join, ...other }, { authorization });
      expect(await wrong.next(ofKind('system.error'))).toMatchObject({ from: 'system:gateway' });
      expect(wrong.heard.some(ofKind('system/welcome'))).toBe(false);
    }
  });

  it('O-3: a message without an id gets one', async () => {
    await using gateway = await startTestGateway();
    const join = { type: 'join', space: 'main', token: 'agent', participantId: 'agent' };
    await using client = await joinAs(rootOf(gateway.http), join);
    for (const text of ['one', 'two']) {
      client.raw(JSON.stringify({ kind: 'chat', payload: { text } }));
      const own = await client.next(({ payload }) => JSON.stringify(payload).includes(text));
      expect(own).toMatchObject({ id: expect.any(String), from: 'agent' });
    }
    expect(new Set(client.heard.filter(ofKind('chat')).map(({ id }) => id)).size).toBe(2);
  });

  it('O-9: learns on its connection why a message was refused that it posted', async () => {
    await using gateway = await startTestGateway();
    const join = (name: string) => ({ type: 'join', space: 'main', token: name, participantId: name });
    await using agent = await joinAs(rootOf(gateway.http), join('agent'));
    await using reviewer = await joinAs(rootOf(gateway.http), join('reviewer'));
    await agent.next(ofKind('system/welcome'));
    await reviewer.next(ofKind('system/welcome'));
    const response = await fetch(`${gateway.http}/participants/agent/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer agent' },
      body: JSON.stringify({ id: 'posted-1', kind: 'mcp/request', to: ['tools'], payload: call() }),
    });
    expect(response.status).toBe(403);
    expect(await agent.next(ofKind('system/error'))).toMatchObject({
      from: 'system:gateway',
      to: ['agent'],
      correlation_id: ['posted-1'],
      payload: { error: 'capability_violation', attempted_kind: 'mcp/request' },
    });
    expect(reviewer.heard.some(ofKind('system/error'))).toBe(false);
  });

  it("O-6: learns in mew's own words that a kind is reserved, by status 400 and on its connection", async () => {
    await using gateway = await startTestGateway();
    const join = { type: 'join', space: 'main', token: 'agent', participantId: 'agent' };
    await using agent = await joinAs(rootOf(gateway.http), join);
    await agent.next(ofKind('system/welcome'));
    const message = { id: 'posted-1', kind: 'system/register', payload: { capabilities: [] } };
    const post = (path: string) =>
      fetch(gateway.http + path, {
        method: 'POST',
        headers: { authorization: 'Bearer agent' },
        body: JSON.stringify(message),
      });
    const response = await post('/participants/agent/messages');
    expect(response.status).toBe(400);
    const words = 'system/register is reserved for the gateway';
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'reserved_kind',
      detail: expect.stringContaining(words),
    });
    expect(await agent.next(ofKind('system/error'))).toMatchObject({
      correlation_id: ['posted-1'],
      payload: { error: 'reserved_kind', message: expect.stringContaining(words) },
    });
    // Elsewhere it is a matter of rights, as before.
    expect((await post('/spaces/main/messages')).status).toBe(403);
  });

  it('O-54: is paused by one who may, streams included, and goes on when it is resumed', async () => {
    const [host, agent] = [createToken(), createToken()];
    await using gateway = await startTestGateway(`
spaces: { main: }
participants:
  host: { tokens: ["${host.hash}"], spaces: { main: [{ kind: participant/pause }, { kind: participant/resume }] } }
  agent: { tokens: ["${agent.hash}"], spaces: { main: [chat, stream/*, participant/*] } }
`);
    const join = (name: string, { token }: { readonly token: string }) =>
      joinAs(rootOf(gateway.http), { type: 'join', space: 'main', token, participantId: name });
    await using lead = await join('host', host);
    await using paused = await join('agent', agent);
    await lead.next(ofKind('system/welcome'));
    await paused.next(ofKind('system/welcome'));
    const payload = { reason: 'rate_limit', timeout_seconds: 3_600 };
    lead.send({ id: 'host-1', kind: 'participant/pause', to: ['agent'], payload });
    expect(await paused.next(ofKind('participant/pause'))).toMatchObject({ from: 'host', payload });
    const answerTo = (id: string) =>
      paused.next(({ correlation_id: ids }) => JSON.stringify(ids) === JSON.stringify([id]));
    const refused = { kind: 'system/error', payload: { error: 'paused' } };
    paused.send({ id: 'agent-1', kind: 'chat', payload: { text: 'hello' } });
    expect(await answerTo('agent-1')).toMatchObject(refused);
    paused.send({ id: 'agent-2', kind: 'stream/request', payload: { direction: 'upload' } });
    expect(await answerTo('agent-2')).toMatchObject(refused);
    paused.send({ id: 'agent-3', kind: 'participant/status', payload: { messages_in_context: 1 } });
    expect(await paused.next(ofKind('participant/status'))).toMatchObject({ from: 'agent' });
    lead.send({ id: 'host-2', kind: 'participant/resume', to: ['agent'], payload: {} });
    await paused.next(ofKind('participant/resume'));
    paused.send({ id: 'agent-4', kind: 'chat', payload: { text: 'hello' } });
    expect(await paused.next(ofKind('chat'))).toMatchObject({ from: 'agent' });
  });

  it('O-26: runs what it only listed in answer to tools/list, approved without to', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const join = { type: 'join', space: 'main', token: 'tools', participantId: 'tools' };
    await using tools = await joinAs(rootOf(gateway.http), join);
    await tools.next(ofKind('system/welcome'));
    reviewer.send({
      id: 'q-1',
      kind: 'mcp.request.tools/list',
      to: ['tools'],
      payload: { method: 'tools/list' },
    });
    await tools.next(ofId('q-1'));
    const result = { tools: [{ name: 'write_file', inputSchema: { type: 'object' } }] };
    tools.send({ id: 'tools-1', kind: 'mcp/response', correlation_id: ['q-1'], payload: { result } });
    await reviewer.next(({ kind }) => kind.startsWith('mcp.response'));
    agent.send(proposal('p-1'));
    await reviewer.next(({ id }) => id === 'p-1');
    reviewer.send(fulfilment('f-1', 'p-1', []));
    expect(await tools.next(ofId('f-1'))).toMatchObject({ kind: 'mcp/request', to: ['tools'] });
    tools.send({
      id: 'tools-2',
      kind: 'mcp/response',
      correlation_id: ['p-1', 'f-1'],
      payload: { result: { content: [] } },
    });
    await agent.next(({ id }) => id.startsWith('tools-2~'));
    const headers = { authorization: 'Bearer agent' };
    const response = await fetch(`${gateway.http}/spaces/main/proposals/p-1`, { headers });
    expect(await response.json()).toMatchObject({ proposal: { phase: 'settled' } });
  });

  it('O-1: posts messages as itself, with missing fields filled in', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const post = async (participant: string, token: string) => {
      const response = await fetch(`${gateway.http}/participants/${participant}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ kind: 'chat', payload: { text: 'posted' } }),
      });
      return response.status;
    };
    expect(await post('agent', 'agent')).toBe(200);
    expect(await reviewer.next(({ kind }) => kind === 'chat.message')).toMatchObject({ from: 'agent' });
    expect(await post('reviewer', 'agent')).toBe(403);
    expect((await fetch(`${gateway.http}/health`)).status).toBe(200);
  });

  it('I-7: is rate-limited when it posts, like any other client', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { messages_per_participant: 2/min }');
    const post = async () => {
      const response = await fetch(`${gateway.http}/participants/agent/messages`, {
        method: 'POST',
        headers: { authorization: 'Bearer agent' },
        body: JSON.stringify({ kind: 'chat', payload: { text: 'posted' } }),
      });
      return response.status;
    };
    expect([await post(), await post(), await post()]).toEqual([200, 200, 429]);
  });

  it('I-7: gets in however many silent strangers are connected', async () => {
    await using gateway = await startTestGateway();
    const upgrade = [
      'GET /ws HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    const silent: Raw[] = [];
    for (let count = 0; count < 64; count++) {
      const peer = await connectRaw(gateway.port, `${upgrade.join('\r\n')}\r\n\r\n`);
      silent.push(peer);
      await peer.until(' 101 ');
    }
    const join = { type: 'join', space: 'main', token: 'agent', participantId: 'agent' };
    await using client = await joinAs(rootOf(gateway.http), join);
    expect(await client.next(ofKind('system/welcome'))).toMatchObject({ protocol: 'mew/v0.4' });
    for (const { socket } of silent) socket.destroy();
  });

  it('I-4: is disconnected with a wrong token, and without a join', async () => {
    const agent = `agent: { tokens: ["${createToken().hash}"], spaces: { main: ["*"] } }`;
    await using gateway = await startTestGateway(`journal: { backend: memory }\nparticipants: { ${agent} }`);
    const url = rootOf(gateway.http);
    await using wrong = await joinAs(url, {
      type: 'join',
      space: 'main',
      token: 'agent',
      participantId: 'agent',
    });
    expect(await wrong.next(({ type }) => type === 'error')).toMatchObject({
      kind: 'system/error',
      payload: { error: 'unauthenticated' },
    });
    expect(await wrong.closed).toEqual({ code: 1008, reason: 'unauthenticated' });
    await using other = await joinAs(url, { kind: 'chat', payload: { text: 'hello' } });
    expect(await other.closed).toEqual({ code: 1008, reason: 'join_expected' });
    await using long = await joinAs(url, { type: 'join', space: 'main', token: 'x'.repeat(20_000) });
    expect(await long.closed).toMatchObject({ code: 1008 });
  });
});
