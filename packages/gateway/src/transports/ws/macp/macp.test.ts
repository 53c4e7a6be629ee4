import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { loopbackConfig } from '../../../loopback.js';
import { macpEnvelope, openTable, startPayload } from '../../../testing/macp.js';
import { readMetric, until } from '../../../testing/metrics.js';
import { connectMacpPeer, type MacpPeer, macpSocket, placeOf } from '../../../testing/peers/macp-peer.js';
import { refusedPeer } from '../../../testing/peers/peer.js';
import { closedConfig } from '../../../testing/strangers.js';
import { startTestGateway } from '../../../testing/test-gateway.js';

const proposal = (session: string, sender: string, proposal_id: string, more: JsonObject = {}) =>
  macpEnvelope(session, sender, 'Proposal', { proposal_id, title: 'An offer', ...more });

/** Starts a session over a connection. */
async function start(peer: MacpPeer, sender: string): Promise<string> {
  const id = randomUUID();
  expect(await peer.say(macpEnvelope(id, sender, 'SessionStart', startPayload()))).toMatchObject({
    ok: true,
  });
  return id;
}

const errorOf = (peer: MacpPeer): Promise<JsonObject> => peer.next((frame) => frame['error'] !== undefined);

describe('envelopes over a WebSocket', () => {
  it('N-6, I-5: each gets its Ack; a refusal says why in it, and the connection stays open', async () => {
    await using gateway = await startTestGateway();
    await using buyer = await connectMacpPeer(gateway, 'buyer');
    const id = await start(buyer, 'buyer');
    const first = proposal(id, 'seller', 'p1');
    expect(await buyer.say(first)).toMatchObject({
      ok: true,
      duplicate: false,
      session_id: id,
      sequence: 2,
      session_state: 'SESSION_STATE_OPEN',
    });
    const refused = proposal(id, 'seller', 'p1');
    expect(await buyer.say(refused)).toMatchObject({
      ok: false,
      error: {
        code: 'INVALID_ENVELOPE',
        message_id: refused.message_id,
        details: { field: 'payload.proposal_id' },
      },
    });
    const misshapen = { ...proposal(id, 'seller', 'p2'), timestamp: 'yesterday' };
    expect(await buyer.say(misshapen)).toMatchObject({ ok: false, error: { code: 'INVALID_ENVELOPE' } });
    const large = proposal(id, 'seller', 'p3', { summary: 'x'.repeat(1_100_000) });
    expect(await buyer.say(large)).toMatchObject({ ok: false, error: { code: 'PAYLOAD_TOO_LARGE' } });
    buyer.socket.send(JSON.stringify(first));
    expect(
      await buyer.next(({ ack }) => (ack as JsonObject | undefined)?.['duplicate'] === true),
    ).toMatchObject({ ack: { ok: true, sequence: 2 } });
    expect(await buyer.say(proposal(id, 'seller', 'p4'))).toMatchObject({ ok: true, sequence: 3 });
  });

  it.each([
    ['text that is not JSON', 'nonsense', ''],
    ['a value that is not an object', '[]', ''],
    [
      'a subscription with an envelope',
      JSON.stringify({ subscribe_session_id: 'x', message_type: 'Proposal' }),
      'subscribe_session_id',
    ],
    ['a subscription to nothing', JSON.stringify({ subscribe_session_id: '' }), 'subscribe_session_id'],
    [
      'an invalid sequence number',
      JSON.stringify({ subscribe_session_id: 'x', after_sequence: -1 }),
      'after_sequence',
    ],
  ])('%s comes back as an error, and the connection stays open', async (_, text, field) => {
    await using gateway = await startTestGateway();
    await using buyer = await connectMacpPeer(gateway, 'buyer');
    buyer.socket.send(text);
    const { error } = await errorOf(buyer);
    expect(error).toMatchObject({ code: 'INVALID_ENVELOPE', session_id: '', message_id: '' });
    if (field !== '') expect(error).toMatchObject({ details: { field } });
    await start(buyer, 'buyer');
  });
});

describe('following sessions over a WebSocket', () => {
  it('I-6: delivers history after a sequence number, then live, once and in order, for several sessions on one connection', async () => {
    await using gateway = await startTestGateway();
    await using buyer = await connectMacpPeer(gateway, 'buyer');
    const [one, two] = [await start(buyer, 'buyer'), await start(buyer, 'buyer')];
    const said: string[] = [];
    const say = async (count: number): Promise<void> => {
      const envelope = proposal(one, 'seller', `p${count}`);
      const { sequence } = await buyer.say(envelope);
      said.push(placeOf(sequence, envelope.message_id));
    };
    for (let count = 0; count < 10; count++) await say(count);
    await using seller = await connectMacpPeer(gateway, 'seller');
    seller.send({ subscribe_session_id: one, after_sequence: 3 });
    for (let count = 10; count < 60; count++) await say(count);
    expect(await seller.accepted(4, 58)).toEqual(said.slice(2));
    seller.send({ subscribe_session_id: two });
    const isOfTwo = ({ envelope }: JsonObject): boolean =>
      (envelope as JsonObject | undefined)?.['session_id'] === two;
    expect(await seller.next(isOfTwo)).toMatchObject({
      sequence: 1,
      envelope: { message_type: 'SessionStart', payload: { intent: 'agree on terms' } },
    });
    seller.send({ unsubscribe_session_id: one });
    // Answered after what was sent before it was read.
    await seller.say(proposal(two, 'seller', 'p1'));
    await say(60);
    await buyer.say(proposal(two, 'buyer', 'p2'));
    await seller.next((frame) => isOfTwo(frame) && frame['sequence'] === 3);
    expect(seller.frames.filter(({ sequence }) => sequence === 62)).toEqual([]);
  });

  it('N-8: a hidden session does not exist, and following one twice is refused', async () => {
    await using gateway = await startTestGateway(closedConfig({ buyer: '', stranger: '' }));
    await using buyer = await connectMacpPeer(gateway, 'token-of-buyer');
    await using stranger = await connectMacpPeer(gateway, 'token-of-stranger');
    const id = await start(buyer, 'buyer');
    stranger.send({ subscribe_session_id: id });
    expect(await errorOf(stranger)).toMatchObject({ error: { code: 'SESSION_NOT_FOUND', session_id: id } });
    buyer.send({ subscribe_session_id: id });
    buyer.send({ subscribe_session_id: id });
    expect(await errorOf(buyer)).toMatchObject({ error: { code: 'INVALID_ENVELOPE', session_id: id } });
    await buyer.accepted(1, 1);
    expect(buyer.frames.filter(({ sequence }) => sequence === 1)).toHaveLength(1);
    await start(stranger, 'stranger');
  });
});

describe('access to the negotiation WebSocket', () => {
  it('I-4: requires a token, not in the URL; a browser sends it in a subprotocol', async () => {
    await using gateway = await startTestGateway();
    const url = macpSocket(gateway.http);
    expect(await refusedPeer(url, undefined)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await refusedPeer(url, 'buyer', { token: 'buyer' })).toMatchObject({ code: 'token_in_url' });
    const offered = ['proffer.v1', `proffer.token.${Buffer.from('käufer').toString('base64url')}`];
    const socket = new WebSocket(url, offered);
    const answered = new Promise<string>((resolve) => {
      socket.once('message', (data: Buffer) => resolve(data.toString()));
    });
    socket.once('open', () =>
      socket.send(JSON.stringify(macpEnvelope(randomUUID(), 'käufer', 'SessionStart', startPayload()))),
    );
    expect(JSON.parse(await answered)).toMatchObject({ ack: { ok: true } });
    expect(socket.protocol).toBe('proffer.v1');
    socket.close();
  });

  it('I-4: a revoked token ends its connections, also one that follows nothing', async () => {
    await using gateway = await startTestGateway(closedConfig({ buyer: '', seller: '' }));
    await using idle = await connectMacpPeer(gateway, 'token-of-seller');
    await using following = await connectMacpPeer(gateway, 'token-of-seller');
    await using buyer = await connectMacpPeer(gateway, 'token-of-buyer');
    const id = await start(buyer, 'buyer');
    following.send({ subscribe_session_id: id });
    await following.accepted(1, 1);
    gateway.gateway.reload(loopbackConfig(closedConfig({ buyer: '' })));
    expect(await idle.closed).toBe(4401);
    expect(await following.closed).toBe(4401);
    expect(await buyer.say(proposal(id, 'buyer', 'p1'))).toMatchObject({ ok: true });
  });

  it('I-7: it counts as a connection of its token, and as an open one', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { connections_per_token: 1 }');
    const open = () => readMetric(gateway.http, 'proffer_connections', '{transport="ws"}');
    {
      await using first = await connectMacpPeer(gateway, 'buyer');
      expect(first.frames).toEqual([]);
      expect(await open()).toBe(1);
      expect(await refusedPeer(macpSocket(gateway.http), 'buyer')).toEqual({
        status: 429,
        code: 'RATE_LIMITED',
      });
    }
    await until(async () => (await open()) === 0);
    await using again = await connectMacpPeer(gateway, 'buyer');
    await start(again, 'buyer');
    const messages = await readMetric(
      gateway.http,
      'proffer_messages_total',
      '{transport="ws",outcome="accepted"}',
    );
    expect(messages).toBe(1);
  });

  it('a gateway that stops says that it goes away', async () => {
    await using gateway = await startTestGateway();
    await using idle = await connectMacpPeer(gateway, 'buyer');
    await gateway.gateway.close();
    expect(await idle.closed).toBe(1001);
  });
});

describe('hostile peers of the negotiation WebSocket', () => {
  const SMALL = 'dev: true\nlimits: { message_size: 64KiB, unacknowledged_per_connection: 64KiB }';

  it('I-7: a client that does not read its answers is disconnected', async () => {
    await using gateway = await startTestGateway(SMALL);
    await using peer = await connectMacpPeer(gateway, 'buyer');
    peer.socket.pause();
    const fell = () => readMetric(gateway.http, 'proffer_subscribers_fell_behind_total');
    for (let sent = 0; (await fell()) === 0; sent += 500) {
      expect(sent).toBeLessThan(200_000);
      for (let count = 0; count < 500; count++) peer.send(proposal('x'.repeat(22), 'buyer', 'p1'));
    }
    peer.socket.resume();
    expect(await peer.closed).toBe(4408);
  });

  it('I-7: a follower that does not read is disconnected, and the others see everything', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { unacknowledged_per_connection: 1MiB }',
    );
    const table = openTable(gateway.http);
    await table.start('buyer');
    await using slow = await connectMacpPeer(gateway, 'seller');
    await using good = await connectMacpPeer(gateway, 'seller');
    for (const peer of [slow, good]) {
      peer.send({ subscribe_session_id: table.id });
      await peer.accepted(1, 1);
    }
    slow.socket.pause();
    const summary = 'x'.repeat(900_000);
    let sent = 1;
    while ((await readMetric(gateway.http, 'proffer_subscribers_fell_behind_total')) === 0) {
      await table.send('seller', 'Proposal', { proposal_id: `p${sent}`, summary });
      await good.accepted(++sent, 1);
      expect(sent).toBeLessThan(200);
    }
    slow.socket.resume();
    expect(await slow.closed).toBe(4408);
    expect(good.frames).toHaveLength(sent);
  });

  it('I-7: too many malformed frames close it, and it counts as open for a while', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { bad_messages_per_connection: 5/m, connections_per_token: 1 }',
    );
    await using peer = await connectMacpPeer(gateway, 'buyer');
    for (let count = 0; count < 6; count++) peer.socket.send('nonsense');
    expect(await peer.closed).toBe(4400);
    expect(peer.frames).toHaveLength(6);
    expect(await refusedPeer(macpSocket(gateway.http), 'buyer')).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('N-3, I-7: a client over its rate is told so, is not read for a moment, and continues afterwards', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { negotiation_messages_per_participant: 20/s }',
    );
    await using peer = await connectMacpPeer(gateway, 'buyer');
    const id = await start(peer, 'buyer');
    const acks = await Promise.all(
      Array.from({ length: 60 }, (_, count) => peer.say(proposal(id, 'seller', `p${count}`))),
    );
    expect(acks.filter(({ ok }) => ok === true).length).toBeGreaterThanOrEqual(19);
    expect(acks.find(({ ok }) => ok === false)).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    await until(async () => (await peer.say(proposal(id, 'seller', randomUUID())))['ok'] === true);
  });
});
