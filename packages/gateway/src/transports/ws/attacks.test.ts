import { describe, expect, it } from 'vitest';
import { chat, fulfilment, proposal, withdrawal } from '../../testing/messages.js';
import { post } from '../../testing/peers/http.js';
import { connectPeer } from '../../testing/peers/peer.js';
import { startTestGateway } from '../../testing/test-gateway.js';

describe('sender', () => {
  it('O-2, I-4: a forged `from` is refused, in every dialect and transport', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    agent.send({ ...chat('c1'), from: 'reviewer' });
    expect(await agent.error('c1')).toMatchObject({ error: 'sender_mismatch' });
    agent.send({ protocol: 'mew/v0.4', id: 'c2', from: 'reviewer', kind: 'chat', payload: { text: 'x' } });
    await agent.next(
      ({ kind, payload }) => kind === 'system/error' && payload['error'] === 'sender_mismatch',
    );
    expect(await post(gateway.http, 'agent', { ...chat('c3'), from: 'system:gateway' })).toMatchObject({
      status: 403,
      code: 'sender_mismatch',
    });
    const said = await agent.say(chat('c4'));
    expect(said).toMatchObject({ from: 'agent' });
    await reviewer.next(({ id }) => id === 'c4');
    expect(reviewer.messages.map(({ id }) => id).filter((id) => /^c\d$/.test(id))).toEqual(['c4']);
  });

  it('O-2: no other field of a message can set its sender', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const said = await agent.say({ ...chat('c1'), sender: 'reviewer', principal: 'reviewer', seq: 7 });
    expect(said.from).toBe('agent');
    expect(said.seq).not.toBe(7);
  });
});

describe('ids', () => {
  it('O-3: a repeated message is answered again and delivered to nobody else', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const first = await agent.say(chat('c1'));
    agent.send(chat('c1'));
    await agent.say(chat('c2'));
    await reviewer.next(({ id }) => id === 'c2');
    expect(agent.messages.filter(({ id }) => id === 'c1').map(({ seq }) => seq)).toEqual([
      first.seq,
      first.seq,
    ]);
    expect(reviewer.messages.filter(({ id }) => id === 'c1')).toHaveLength(1);
    expect(await post(gateway.http, 'agent', chat('c1'))).toMatchObject({
      body: { status: 'duplicate', seq: first.seq },
    });
  });

  it('O-3: other content, or another sender, with a known id is a conflict', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await agent.say(chat('c1'));
    await agent.say(proposal('p1'));
    agent.send(chat('c1', 'something else'));
    expect(await agent.error('c1')).toMatchObject({ error: 'id_conflict' });
    reviewer.send(chat('c1'));
    expect(await reviewer.error('c1')).toMatchObject({ error: 'id_conflict' });
    reviewer.send(proposal('p1'));
    expect(await reviewer.error('p1')).toMatchObject({ error: 'id_conflict' });
    agent.send(chat('p1'));
    expect(await agent.error('p1')).toMatchObject({ error: 'id_conflict' });
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(129)],
    ['huge', 'x'.repeat(100_000)],
    ['with a line feed', 'a\nb'],
    ['not text', 7],
  ])('O-3, O-5: an id that is %s is refused, and the answer does not repeat it in full', async (_, id) => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send(JSON.stringify({ ...chat('c1'), id }));
    const error = await agent.error();
    expect(error).toMatchObject({ error: 'invalid_field', field: 'id' });
    expect(JSON.stringify(error).length).toBeLessThan(2_000);
  });
});

describe('content', () => {
  it.each([
    ['mcpx', { kind: 'system.notice' }],
    ['mcpx', { kind: 'system.welcome' }],
    ['mcpx-slash', { kind: 'system/presence' }],
    ['legacy', { kind: 'system/error' }],
    ['mew/v0.4', { protocol: 'mew/v0.4', kind: 'system/welcome' }],
  ])('I-4: messages reserved for the gateway are refused (%s, $kind)', async (dialect, message) => {
    await using gateway = await startTestGateway();
    await using reviewer = await connectPeer(gateway.ws, 'reviewer', { dialect });
    reviewer.send({ id: 'x1', ...message, payload: { event: 'join' } });
    const { payload } = await reviewer.next(({ payload: { error } }) => error !== undefined);
    expect(payload).toMatchObject({ error: 'reserved_kind' });
  });

  it('O-9, I-5: nothing is routed without the capability, and the sender learns what it may do', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await agent.say(proposal('p1'));
    agent.send(fulfilment('f1', 'p1'));
    const error = await agent.error('f1');
    expect(error).toMatchObject({ error: 'capability_violation' });
    expect(JSON.stringify(error)).toContain('mcp.proposal.*');
    await agent.say(chat('c1'));
    await tools.next(({ id }) => id === 'c1');
    expect(tools.messages.filter(({ id }) => id === 'f1')).toEqual([]);
  });

  it("I-4: another space's proposals cannot be reached from here", async () => {
    await using gateway = await startTestGateway('dev: true\nspaces: { main: {}, other: {} }');
    await using elsewhere = await connectPeer(gateway.ws, 'agent', { space: 'other' });
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await elsewhere.say(proposal('p1'));
    agent.send(withdrawal('w1', 'p1'));
    expect(await agent.error('w1')).toMatchObject({ error: 'unknown_proposal' });
    for (const id of ['other/proposal/p1', '../../other/proposal/p1']) {
      reviewer.send({ ...withdrawal('w2', id), kind: 'mcpx.reject.proposal', payload: { reason: 'busy' } });
      expect(await reviewer.error('w2')).toMatchObject({ error: 'unknown_proposal' });
    }
    await using tools = await connectPeer(gateway.ws, 'tools');
    // Addressed to another space's proposal, it is just a request: it fulfils nothing there.
    await reviewer.say(fulfilment('f1', 'p1'));
    await tools.next(({ id }) => id === 'f1');
    const { body } = await post(gateway.http, 'agent', chat('c1'));
    expect(body).toMatchObject({ status: 'accepted' });
    const still = await fetch(`${gateway.http}/spaces/other/proposals/p1`, {
      headers: { authorization: 'Bearer agent' },
    });
    expect(await still.json()).toMatchObject({ proposal: { phase: 'pending' } });
  });

  it.each([
    ['not JSON', '{', 'invalid_json'],
    ['nothing', '', 'invalid_json'],
    ['a number', '7', 'invalid_json'],
    ['an array', '[]', 'invalid_json'],
    ['too deep', `{"id":"x","kind":"chat.message","payload":${'['.repeat(70)}${']'.repeat(70)}}`, 'too_deep'],
    ['extremely deep', '['.repeat(400_000), 'too_deep'],
    ['a duplicate key', '{"id":"x","id":"y"}', 'duplicate_key'],
    ['a prototype', '{"__proto__":{},"id":"x"}', 'forbidden_key'],
    ['no kind', '{"id":"x","payload":{}}', 'missing_field'],
    ['an invalid payload', '{"id":"x","kind":"chat.message","payload":7}', 'invalid_field'],
  ])('O-5: %s is answered with a code, and the connection stays open', async (_, text, code) => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send(text);
    const { payload } = await agent.next(({ kind }) => kind === 'system.error');
    expect(payload['error']).toBe(code);
    await agent.say(chat('c1'));
  });

  it('O-5: a binary frame is refused, and the connection stays open', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send(Buffer.from(JSON.stringify(chat('c1'))), { binary: true });
    expect(await agent.error()).toMatchObject({ error: 'invalid_json' });
    await agent.say(chat('c1'));
  });

  it('O-5: invalid UTF-8 closes the connection as in RFC 6455, with 1007', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false });
    expect(await agent.closed).toBe(1007);
  });
});
