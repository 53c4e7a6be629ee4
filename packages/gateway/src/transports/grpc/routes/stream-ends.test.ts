import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GrpcPeer, type PeerStream, type Read, startPeer } from '../testing/grpc-peer.js';
import { serveFor } from '../testing/served.js';
import { startTable } from '../testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

function open(token = 'buyer'): PeerStream {
  return peer.open('StreamSession', { token });
}

const idsOf = (messages: readonly Read[]): unknown[] =>
  messages.map(({ envelope }) => (envelope as Read)['message_id']);

describe('start and end of a stream', () => {
  it('N-6: a subscriber that half-closes gets what was accepted by then, and the stream ends', async () => {
    await serveFor(peer);
    const table = await startTable(peer);
    for (let count = 0; count < 100; count++) await table.propose('seller', `p${count}`);
    const [whole, rest, nothing] = [open(), open(), open()];
    whole.write({ subscribe_session_id: table.id });
    rest.write({ subscribe_session_id: table.id, after_sequence: 91 });
    nothing.write({ subscribe_session_id: table.id, after_sequence: 101 });
    for (const stream of [whole, rest, nothing]) {
      stream.end();
      expect(await stream.status).toMatchObject({ code: 0 });
    }
    expect([whole, rest, nothing].map(({ messages }) => messages.length)).toEqual([101, 10, 0]);
  });

  it('N-6: a follower gets everything accepted before it half-closed', async () => {
    await serveFor(peer);
    const table = await startTable(peer);
    const stream = open();
    stream.write({ subscribe_session_id: table.id });
    await stream.next();
    for (let count = 0; count < 50; count++) await table.propose('seller', `p${count}`);
    await peer.ask('CancelSession', { session_id: table.id }, { token: 'coordinator' });
    stream.end();
    expect(await stream.status).toMatchObject({ code: 0 });
    expect(stream.messages).toHaveLength(52);
    expect(stream.messages.at(-1)).toMatchObject({ envelope: { message_type: 'SessionCancel' } });
  });

  it('I-6: a sender may subscribe: history from where it asks, then live, each once', async () => {
    await serveFor(peer);
    const table = await startTable(peer);
    const stream = open();
    const sent = (id: string) => ({
      envelope: table.envelope('buyer', 'Proposal', { proposal_id: id }, { message_id: id }),
    });
    stream.write(sent('m1'));
    expect(idsOf([await stream.next()])).toEqual(['m1']);
    stream.write({ subscribe_session_id: table.id });
    stream.write(sent('m2'));
    expect(idsOf(await stream.take(3)).slice(1)).toEqual(['m1', 'm2']);
    stream.write(sent('m3'));
    expect(idsOf([await stream.next()])).toEqual(['m3']);
    stream.write({ subscribe_session_id: table.id });
    expect(await stream.next()).toMatchObject({ error: { code: 'INVALID_ENVELOPE' } });
    stream.end();
    expect(await stream.status).toMatchObject({ code: 0 });
  });

  it('I-6: sending and subscribing at once leaves nothing out', async () => {
    await serveFor(peer);
    const table = await startTable(peer);
    const stream = open();
    const ids = ['m1', 'm2', 'm3', 'm4', 'm5'];
    for (const id of ids) {
      stream.write({
        envelope: table.envelope('buyer', 'Proposal', { proposal_id: id }, { message_id: id }),
      });
    }
    stream.write({ subscribe_session_id: table.id });
    stream.end();
    expect(await stream.status).toMatchObject({ code: 0 });
    const start = stream.messages.findIndex(
      ({ envelope }) => (envelope as Read)['message_type'] === 'SessionStart',
    );
    expect(idsOf(stream.messages.slice(start + 1))).toEqual(ids);
  });
});

describe('number of streams', () => {
  it('I-7: is limited per token, and a stream that ends makes room', async () => {
    await serveFor(peer, 'dev: true\nlimits: { streams_per_token: 2 }');
    const table = await startTable(peer);
    const streams = [open(), open()];
    await Promise.all(streams.map(({ began }) => began));
    const third = open();
    expect(await third.status).toMatchObject({
      code: 8,
      macpCode: 'RATE_LIMITED',
      details: expect.stringContaining('2 streams'),
    });
    const other = open('seller');
    await other.began;
    streams[0]?.cancel();
    await streams[0]?.status;
    for (;;) {
      const again = open();
      again.write({ subscribe_session_id: table.id });
      const answer = await Promise.race([again.next(), again.status]);
      again.cancel();
      if ('envelope' in answer) break;
    }
    for (const stream of [streams[1], other]) stream?.cancel();
  });

  it("I-7: the streams of one connection count as one of the token's connections", async () => {
    await serveFor(peer, 'dev: true\nlimits: { connections_per_token: 1 }');
    const table = await startTable(peer);
    const streams = Array.from({ length: 100 }, () => open());
    for (const stream of streams) stream.write({ subscribe_session_id: table.id });
    for (const stream of streams) expect(await stream.next()).toMatchObject({ envelope: {} });
    // gRPC opens another connection for another channel.
    const channel = { 'grpc.use_local_subchannel_pool': 1, 'grpc.primary_user_agent': 'another' };
    const elsewhere = peer.open('StreamSession', { token: 'buyer', channel });
    expect(await elsewhere.status).toMatchObject({ code: 8, macpCode: 'RATE_LIMITED' });
    for (const stream of streams) stream.cancel();
  });
});
