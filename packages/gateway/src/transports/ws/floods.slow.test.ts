import { describe, expect, it } from 'vitest';
import { call, chat, proposal } from '../../testing/messages.js';
import { readMetric, until } from '../../testing/metrics.js';
import { post } from '../../testing/peers/http.js';
import { connectPeer, refusedPeer } from '../../testing/peers/peer.js';
import { connectRaw } from '../../testing/peers/raw.js';
import { maskedFrame, upgradeRequest } from '../../testing/peers/raw-websocket.js';
import { startTestGateway } from '../../testing/test-gateway.js';

describe('amount', () => {
  it('O-5: slightly over the limit is an error; far over it closes the connection with 1009', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { message_size: 1KiB }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.send(chat('c1', 'x'.repeat(1_100)));
    expect(await agent.error()).toMatchObject({ error: 'too_large' });
    await agent.say(chat('c2'));
    agent.send(chat('c3', 'x'.repeat(5_000)));
    expect(await agent.closed).toBe(1009);
  });

  it('I-7: a fragmented message may not be larger than an unfragmented one', async () => {
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
    // What arrived after the close does not count.
    expect(other.messages.filter(({ id }) => id === 'late')).toEqual([]);
  });

  it('I-5: at a hundred times the rate, the excess is refused and leaves no trace', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { messages_per_participant: 5/h }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    for (let count = 0; count < 500; count++) agent.send(chat(`c${count}`));
    const refused = (): number => agent.messages.filter(({ kind }) => kind === 'system.error').length;
    await until(() => refused() === 495);
    const errors = agent.messages.filter(({ kind }) => kind === 'system.error');
    expect(new Set(errors.map(({ payload }) => payload['error']))).toEqual(new Set(['rate_limited']));
    await reviewer.say(chat('r1'));
    const seen = reviewer.messages.filter(({ from }) => from === 'agent').map(({ id }) => id);
    expect(seen).toEqual(Array.from({ length: 5 }, (_, index) => `c${index}`));
    expect(await post(gateway.http, 'agent', chat('c1'))).toMatchObject({
      status: 429,
      code: 'rate_limited',
    });
    expect(await readMetric(gateway.http, 'proffer_refusals_total', '{code="rate_limited"}')).toBe(496);
  });

  it('I-7: a client over its rate is not read for a moment, so that refusing it costs the others little', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { messages_per_participant: 20/h }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const flood = 10_000;
    for (let count = 0; count < flood; count++) agent.send(chat(`c${count}`));
    await agent.next(({ kind }) => kind === 'system.error');
    await reviewer.say(chat('r1'));
    expect(await readMetric(gateway.http, 'proffer_refusals_total', '{code="rate_limited"}')).toBeLessThan(
      flood / 10,
    );
    // It is not read, so it would also wait for the end of the connection.
    agent.socket.terminate();
  });

  it('I-7: a client disconnected for garbage cannot reconnect at will', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { bad_messages_per_connection: 1/min, connections_per_token: 2 }',
    );
    for (let round = 0; round < 2; round++) {
      await using agent = await connectPeer(gateway.ws, 'agent');
      for (let count = 0; count < 10; count++) agent.socket.send('garbage');
      expect(await agent.closed).toBe(4400);
    }
    expect(await refusedPeer(gateway.ws, 'agent')).toMatchObject({ code: 'too_many_connections' });
    await using other = await connectPeer(gateway.ws, 'reviewer');
    await other.say(chat('c1'));
  });

  it('I-7: a client that hangs up before being disconnected for garbage is disconnected sooner next time', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { bad_messages_per_connection: 2/h }');
    for (let round = 0; round < 8; round++) {
      await using agent = await connectPeer(gateway.ws, 'agent');
      for (let count = 0; count < 2; count++) agent.socket.send('garbage');
      await until(() => agent.messages.filter(({ kind }) => kind === 'system.error').length === 2);
    }
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.send('garbage');
    expect(await agent.closed).toBe(4400);
    await using other = await connectPeer(gateway.ws, 'reviewer');
    other.socket.send('garbage');
    await other.say(chat('c1'));
  });

  it('I-7: a client disconnected for garbage that continues is no longer read', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { bad_messages_per_connection: 1/h }');
    using vandal = await connectRaw(gateway.port, upgradeRequest('/ws?space=main', 'vandal'));
    await vandal.until('system.welcome');
    const garbage = Buffer.concat(Array.from({ length: 1_000 }, () => maskedFrame('x'.repeat(1_000))));
    let taken = 0;
    // In sequence: for writes handed over at once, the system does not say how much left.
    for (; taken < 64 && !vandal.socket.destroyed; taken++) {
      await new Promise<void>((resolve) => {
        vandal.socket.write(garbage, () => resolve());
      });
    }
    // It never answers the close, so it is cut.
    await vandal.ended;
    expect(vandal.text()).toContain('too_many_errors');
    expect(taken).toBeLessThan(32);
  });

  it('I-7: a client that reconnects too often waits for its refusal, and nobody else does', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { connections_per_token: 1 }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await agent.say(chat('a1'));
    let said = 0;
    async function answersInOrder(): Promise<readonly string[]> {
      const order: string[] = [];
      const refused = refusedPeer(gateway.ws, 'agent').then(({ code }) => order.push(code));
      await using reviewer = await connectPeer(gateway.ws, 'reviewer');
      // As many as nobody can say before a refusal that is not delayed.
      for (let count = 0; count < 20; count++) await reviewer.say(chat(`c${said++}`));
      order.push('somebody else');
      await refused;
      return order;
    }
    // The refusal takes a second; on a busy machine, so may anything else.
    await expect.poll(answersInOrder, { timeout: 60_000 }).toEqual(['somebody else', 'too_many_connections']);
  });

  it("I-7: thousands of messages at once do not delay someone else's", async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const flood = 5_000;
    for (let count = 0; count < flood; count++) agent.send(chat(`c${count}`));
    const { seq = 0 } = await reviewer.say(chat('r1'));
    expect(seq).toBeLessThan(flood / 5);
    await agent.next(({ id }) => id === `c${flood - 1}`);
  });

  it('I-6, I-7: queued messages are processed in order, also when the peer has hung up', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const ids = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
    {
      await using agent = await connectPeer(gateway.ws, 'agent');
      for (const id of ids) agent.send(chat(id));
    }
    await reviewer.next(({ id }) => id === ids.at(-1));
    expect(reviewer.messages.filter(({ from }) => from === 'agent').map(({ id }) => id)).toEqual(ids);
  });

  it('I-7: pending proposals per participant are limited', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { pending_proposals_per_participant: 2 }',
    );
    await using agent = await connectPeer(gateway.ws, 'agent');
    for (const id of ['p1', 'p2', 'p3']) agent.send(proposal(id));
    expect(await agent.error('p3')).toMatchObject({ error: 'too_many_pending', limit: 2 });
    expect(await post(gateway.http, 'agent', proposal('p4'))).toMatchObject({ status: 429 });
  });

  it('I-7: a client that does not read its refusals is disconnected', async () => {
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

  it('I-7: a client that pings and does not read the answers is disconnected', async () => {
    const limits = 'limits: { message_size: 64KiB, unacknowledged_per_connection: 64KiB }';
    await using gateway = await startTestGateway(`dev: true\n${limits}`);
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.socket.pause();
    const fell = () => readMetric(gateway.http, 'proffer_subscribers_fell_behind_total');
    let sent = 0;
    while ((await fell()) === 0) {
      // Only as fast as they leave: what waits on this side has not reached the gateway yet.
      if (agent.socket.bufferedAmount > 1_000_000) continue;
      for (let count = 0; count < 2_000; count++) agent.socket.ping('x'.repeat(125));
      sent += 2_000;
      expect(sent).toBeLessThan(400_000);
    }
    agent.socket.resume();
    expect(await agent.closed).toBe(4408);
  });

  it("I-7: thousands of pings at once do not delay someone else's message, and each is answered", async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const flood = 5_000;
    let answered = 0;
    agent.socket.on('pong', () => answered++);
    for (let count = 0; count < flood; count++) agent.socket.ping('');
    await reviewer.say(chat('r1'));
    expect(answered).toBeLessThan(flood / 2);
    await until(() => answered === flood);
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
