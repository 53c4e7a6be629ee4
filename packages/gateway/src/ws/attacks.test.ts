import { describe, expect, it } from 'vitest';
import { post } from '../testing/http.js';
import { call, chat, fulfilment, proposal, withdrawal } from '../testing/messages.js';
import { readMetric, until } from '../testing/metrics.js';
import { connectPeer } from '../testing/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

describe('who says it', () => {
  it('O-2, I-4: a forged `from` is refused, whichever dialect or transport it comes by', async () => {
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
    expect(reviewer.messages.map(({ id }) => id).filter((id) => id.startsWith('c'))).toEqual(['c4']);
  });

  it('O-2: nothing else in a message can say who it is from', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const said = await agent.say({ ...chat('c1'), sender: 'reviewer', principal: 'reviewer', seq: 7 });
    expect(said.from).toBe('agent');
    expect(said.seq).not.toBe(7);
  });
});

describe('ids', () => {
  it('O-3: the same message again is answered again and delivered to nobody else', async () => {
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

  it('O-3: other content, or another sender, under a known id is a conflict', async () => {
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
  ])('O-3, O-5: an id that is %s is refused, and the answer does not repeat it whole', async (_, id) => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send(JSON.stringify({ ...chat('c1'), id }));
    const error = await agent.error();
    expect(error).toMatchObject({ error: 'invalid_field', field: 'id' });
    expect(JSON.stringify(error).length).toBeLessThan(2_000);
  });
});

describe('what it says', () => {
  it.each([
    ['mcpx', { kind: 'system.notice' }],
    ['mcpx', { kind: 'system.welcome' }],
    ['mcpx-slash', { kind: 'system/presence' }],
    ['legacy', { kind: 'system/error' }],
    ['mew/v0.4', { protocol: 'mew/v0.4', kind: 'system/welcome' }],
  ])('I-4: what only the gateway says is refused (%s, $kind)', async (dialect, message) => {
    await using gateway = await startTestGateway();
    await using reviewer = await connectPeer(gateway.ws, 'reviewer', { dialect });
    reviewer.send({ id: 'x1', ...message, payload: { event: 'join' } });
    const { payload } = await reviewer.next(({ payload: { error } }) => error !== undefined);
    expect(payload).toMatchObject({ error: 'reserved_kind' });
  });

  it('O-9, I-5: without the capability nothing is routed, and the sender learns what it may do', async () => {
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
    // To another space's proposal it is a request of one's own: it fulfils nothing there.
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
    ['deep beyond measure', '['.repeat(400_000), 'too_deep'],
    ['a key twice', '{"id":"x","id":"y"}', 'duplicate_key'],
    ['a prototype', '{"__proto__":{},"id":"x"}', 'forbidden_key'],
    ['no kind', '{"id":"x","payload":{}}', 'missing_field'],
    ['a payload that is none', '{"id":"x","kind":"chat.message","payload":7}', 'invalid_field'],
  ])('O-5: %s is answered with a code, and the connection lives', async (_, text, code) => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send(text);
    const { payload } = await agent.next(({ kind }) => kind === 'system.error');
    expect(payload['error']).toBe(code);
    await agent.say(chat('c1'));
  });

  it('O-5: a binary frame is refused, and the connection lives', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send(Buffer.from(JSON.stringify(chat('c1'))), { binary: true });
    expect(await agent.error()).toMatchObject({ error: 'invalid_json' });
    await agent.say(chat('c1'));
  });

  it('O-5: text that is not UTF-8 ends the connection as RFC 6455 says, with 1007', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false });
    expect(await agent.closed).toBe(1007);
  });
});

describe('how much it says', () => {
  it('O-5: just over the limit is an error; far over it ends the connection with 1009', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { message_size: 1KiB }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.send(chat('c1', 'x'.repeat(1_100)));
    expect(await agent.error()).toMatchObject({ error: 'too_large' });
    await agent.say(chat('c2'));
    agent.send(chat('c3', 'x'.repeat(5_000)));
    expect(await agent.closed).toBe(1009);
  });

  it('I-7: a message in pieces may not be larger than one in one piece', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { message_size: 1KiB }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    for (let piece = 0; piece < 10; piece++) agent.socket.send('x'.repeat(1_000), { fin: false });
    expect(await agent.closed).toBe(1009);
  });

  it('O-5: a flood of garbage is answered up to the limit, then the connection is closed with 4400', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { bad_messages_per_connection: 10/min }',
    );
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using other = await connectPeer(gateway.ws, 'agent');
    for (let count = 0; count < 1_000; count++) agent.socket.send('garbage');
    agent.send(chat('late'));
    expect(await agent.closed).toBe(4400);
    expect(agent.messages.filter(({ kind }) => kind === 'system.error').length).toBeLessThanOrEqual(10);
    await other.say(chat('c1'));
    // What came after the end was said did not count.
    expect(other.messages.filter(({ id }) => id === 'late')).toEqual([]);
  });

  it('I-5: at a hundred times the rate, what is over it is refused and leaves no trace', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { messages_per_participant: 20/h }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    for (let count = 0; count < 2_000; count++) agent.send(chat(`c${count}`));
    const refused = (): number => agent.messages.filter(({ kind }) => kind === 'system.error').length;
    await until(() => refused() === 1_980);
    const errors = agent.messages.filter(({ kind }) => kind === 'system.error');
    expect(new Set(errors.map(({ payload }) => payload['error']))).toEqual(new Set(['rate_limited']));
    await reviewer.say(chat('r1'));
    const seen = reviewer.messages.filter(({ from }) => from === 'agent').map(({ id }) => id);
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => `c${index}`));
    expect(await post(gateway.http, 'agent', chat('c1'))).toMatchObject({
      status: 429,
      code: 'rate_limited',
    });
    expect(await readMetric(gateway.http, 'proffer_refusals_total', '{code="rate_limited"}')).toBe(1_981);
  });

  it('I-7: who sends too much is not read for a moment, so that refusing it costs the others little', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { messages_per_participant: 20/h }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const flood = 50_000;
    for (let count = 0; count < flood; count++) agent.send(chat(`c${count}`));
    await agent.next(({ kind }) => kind === 'system.error');
    await reviewer.say(chat('r1'));
    expect(await readMetric(gateway.http, 'proffer_refusals_total', '{code="rate_limited"}')).toBeLessThan(
      flood / 10,
    );
  });

  it('I-7: who was sent away for garbage cannot come back at once as often as it likes', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { bad_messages_per_connection: 1/min, connections_per_token: 2 }',
    );
    for (let round = 0; round < 2; round++) {
      await using agent = await connectPeer(gateway.ws, 'agent');
      for (let count = 0; count < 10; count++) agent.socket.send('garbage');
      expect(await agent.closed).toBe(4400);
    }
    await expect(connectPeer(gateway.ws, 'agent')).rejects.toThrow();
    await using other = await connectPeer(gateway.ws, 'reviewer');
    await other.say(chat('c1'));
  });

  it('I-7: a participant has so many proposals pending and no more', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { pending_proposals_per_participant: 2 }',
    );
    await using agent = await connectPeer(gateway.ws, 'agent');
    for (const id of ['p1', 'p2', 'p3']) agent.send(proposal(id));
    expect(await agent.error('p3')).toMatchObject({ error: 'too_many_pending', limit: 2 });
    expect(await post(gateway.http, 'agent', proposal('p4'))).toMatchObject({ status: 429 });
  });

  it('I-7: who sends what is refused and does not read the answers is sent away', async () => {
    const limits = 'limits: { message_size: 64KiB, unacknowledged_per_connection: 64KiB }';
    await using gateway = await startTestGateway(`dev: true\n${limits}`);
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.pause();
    const fell = () => readMetric(gateway.http, 'proffer_subscribers_fell_behind_total');
    for (let sent = 0; (await fell()) === 0; sent += 500) {
      expect(sent).toBeLessThan(200_000);
      for (let count = 0; count < 500; count++)
        agent.send({ id: `r${sent + count}`, kind: 'mcp.request.tools/call', payload: call() });
    }
    agent.socket.resume();
    expect(await agent.closed).toBe(4408);
  });

  it('I-7: who pings and does not read the answers is sent away', async () => {
    const limits = 'limits: { message_size: 64KiB, unacknowledged_per_connection: 64KiB }';
    await using gateway = await startTestGateway(`dev: true\n${limits}`);
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.pause();
    const fell = () => readMetric(gateway.http, 'proffer_subscribers_fell_behind_total');
    for (let sent = 0; (await fell()) === 0; sent += 2_000) {
      expect(sent).toBeLessThan(400_000);
      for (let count = 0; count < 2_000; count++) agent.socket.ping('x'.repeat(125));
    }
    agent.socket.resume();
    expect(await agent.closed).toBe(4408);
  });

  it('I-7: a ping is answered', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const pong = new Promise<string>((resolve) => {
      agent.socket.once('pong', (data) => resolve(data.toString()));
    });
    agent.socket.ping('are you there');
    expect(await pong).toBe('are you there');
  });
});
