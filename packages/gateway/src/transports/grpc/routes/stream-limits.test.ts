import { once } from 'node:events';
import { createMemoryJournal } from '@proffer/journal';
import { RUNTIME_SERVICE as RPC } from '@proffer/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journalWith } from '../../../testing/journals.js';
import { readMetric, until } from '../../../testing/metrics.js';
import { readEvents } from '../../../testing/peers/event-reader.js';
import { ask } from '../../../testing/peers/http.js';
import type { TestGateway } from '../../../testing/test-gateway.js';
import { type GrpcPeer, startPeer } from '../testing/grpc-peer.js';
import { answerOf, connectRaw, framed, type RawConnection } from '../testing/raw-call.js';
import { serveFor } from '../testing/served.js';
import { openTable, type Table } from '../testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

async function started(): Promise<Table> {
  const table = openTable(peer);
  await table.start();
  return table;
}

/** A stream that sends many frames that are each refused, and reads nothing. */
function flood(raw: RawConnection, table: Table, count: number) {
  const stream = raw.begin(RPC.streamSession.path);
  stream.pause();
  const envelope = {
    macp_version: '1.0',
    mode: 'macp.mode.proposal.v1',
    message_type: 'Accept',
    message_id: 'x',
    session_id: table.id,
    sender: 'buyer',
    timestamp_unix_ms: 1,
    payload: Buffer.of(0x0a, 1, 0x78),
  };
  const request = { envelope, subscribe_session_id: '', after_sequence: 0 };
  stream.write(Buffer.concat(Array(count).fill(framed(RPC.streamSession.request.write(request)))));
  return stream;
}

async function refusedBy(gateway: TestGateway, code: string): Promise<number> {
  return await readMetric(gateway.http, 'proffer_refusals_total', `{code="${code}"}`);
}

describe('memory of a stream', () => {
  it('I-7: a client that does not read its errors is not read either, and loses nothing', async () => {
    const limits = 'limits: { negotiation_messages_per_participant: 1000000/s }';
    const gateway = await serveFor(peer, `dev: true\n${limits}`);
    const table = await started();
    using raw = await connectRaw(gateway.grpcPort);
    const count = 10_000;
    const stream = flood(raw, table, count);
    const refused = () => refusedBy(gateway, 'INVALID_ENVELOPE');
    await until(async () => (await refused()) > 0);
    // Time enough to read all of it.
    for (let turn = 0; turn < 200; turn++) await table.propose('seller', `p${turn}`);
    expect(await refused()).toBeLessThan(count / 4);
    const over = answerOf(stream);
    stream.resume();
    stream.end();
    const { headers, messages } = await over;
    expect([headers['grpc-status'], messages.length]).toEqual(['0', count]);
  });

  it('I-7: a client over its rate is not read for a moment', async () => {
    const limits = 'limits: { negotiation_messages_per_participant: 100/min }';
    const gateway = await serveFor(peer, `dev: true\n${limits}`);
    const table = await started();
    using raw = await connectRaw(gateway.grpcPort);
    const stream = flood(raw, table, 10_000);
    stream.resume();
    const refused = () => refusedBy(gateway, 'RATE_LIMITED');
    await until(async () => (await refused()) > 0);
    for (let turn = 0; turn < 90; turn++) await table.propose('seller', `p${turn}`);
    expect(await refused()).toBeLessThan(2_500);
  });

  it('I-7: a client that leaves too much unread is disconnected', async () => {
    const limits = 'limits: { unacknowledged_per_connection: 64KiB, message_size: 64KiB }';
    const gateway = await serveFor(peer, `dev: true\n${limits}`);
    const table = await started();
    using raw = await connectRaw(gateway.grpcPort);
    const stream = flood(raw, table, 2_000);
    const sentAway = () => readMetric(gateway.http, 'proffer_subscribers_fell_behind_total');
    await until(async () => (await sentAway()) === 1);
    const over = answerOf(stream);
    stream.resume();
    expect((await over).messages.length).toBeLessThan(2_000);
  });
});

describe('streams of one connection', () => {
  it('I-7: a client that does not read takes nothing from its neighbours on the connection', async () => {
    const limits = 'limits: { unacknowledged_per_connection: 1MiB }';
    const gateway = await serveFor(peer, `dev: true\n${limits}`);
    const table = await started();
    using raw = await connectRaw(gateway.grpcPort);
    // What one stream does not read must not fill the HTTP/2 window shared by all of them.
    raw.session.setLocalWindowSize(2 ** 24);
    const [slow, good] = [0, 1].map(() => {
      const stream = raw.begin(RPC.streamSession.path);
      const request = { subscribe_session_id: table.id, after_sequence: 0 };
      stream.write(framed(RPC.streamSession.request.write(request)));
      return stream;
    });
    if (slow === undefined || good === undefined) throw new Error('There are two.');
    slow.pause();
    await Promise.all([slow, good].map((stream) => once(stream, 'response')));
    const answer = answerOf(good);
    const summary = 'x'.repeat(100_000);
    for (let count = 0; count < 40; count++)
      await table.say('seller', 'Proposal', { proposal_id: `p${count}`, summary });
    good.end();
    const { headers, messages } = await answer;
    expect([headers['grpc-status'], messages.length]).toEqual(['0', 41]);
    // It was disconnected if it had read history before, and else gets no more of that.
    expect(await readMetric(gateway.http, 'proffer_subscribers_fell_behind_total')).toBeLessThanOrEqual(1);
  });

  it("I-7: hold at most one stream's limit together, and each gets everything in the end", async () => {
    const memory = createMemoryJournal();
    let readOut = 0;
    const journal = journalWith(memory, {
      async *read(stream, from) {
        for await (const record of memory.read(stream, from)) {
          readOut++;
          yield record;
        }
      },
    });
    const limits = 'limits: { unacknowledged_per_connection: 1MiB }';
    const gateway = await serveFor(peer, `dev: true\n${limits}`, { journal });
    const table = await started();
    const summary = 'x'.repeat(100_000);
    for (let count = 0; count < 5; count++)
      await table.say('seller', 'Proposal', { proposal_id: `p${count}`, summary });
    using raw = await connectRaw(gateway.grpcPort);
    readOut = 0;
    const request = { subscribe_session_id: table.id, after_sequence: 0 };
    const streams = Array.from({ length: 100 }, () => {
      const stream = raw.begin(RPC.streamSession.path);
      stream.pause();
      stream.end(framed(RPC.streamSession.request.write(request)));
      return stream;
    });
    // All of them have started, and hold what they can.
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    for (let turn = 0; turn < 50; turn++) await table.accept('buyer', 'p0');
    const before = readOut;
    expect(before).toBeLessThan(200);
    const answers = streams.map(answerOf);
    for (const stream of streams) stream.resume();
    for (const { headers, messages } of await Promise.all(answers)) {
      expect(headers['grpc-status']).toBe('0');
      expect(messages.length).toBeGreaterThanOrEqual(6);
    }
  });
});

describe('purpose of a stream', () => {
  it('N-6: the last message of a sender over its limit comes back, and the stream ends', async () => {
    const now = Date.now();
    const limits = 'limits: { negotiation_messages_per_participant: 1/min }';
    await serveFor(peer, `dev: true\n${limits}`, { clock: () => now });
    const table = await started();
    const stream = peer.open('StreamSession', { token: 'buyer' });
    stream.write({ envelope: table.envelope('buyer', 'Proposal', { proposal_id: 'p1' }) });
    stream.end();
    expect(await stream.status).toMatchObject({ code: 0 });
    expect(stream.messages).toMatchObject([{ envelope: { message_type: 'Proposal' } }]);
  });

  it('a sender that cannot get its message back is told by the end of the stream', async () => {
    const memory = createMemoryJournal();
    let isBroken = false;
    const journal = journalWith(memory, {
      head: (stream) => (isBroken ? Promise.reject(new Error('unreadable')) : memory.head(stream)),
    });
    await serveFor(peer, 'dev: true', { journal });
    const table = await started();
    const stream = peer.open('StreamSession', { token: 'buyer' });
    await stream.began;
    isBroken = true;
    stream.write({ envelope: table.envelope('buyer', 'Proposal', { proposal_id: 'p1' }) });
    expect(await stream.status).toMatchObject({ code: 14, macpCode: 'INTERNAL_ERROR' });
    isBroken = false;
    expect(await table.metadata('buyer')).toBeDefined();
  });

  it('I-5: a refused frame does not determine the session, even if the next is already there', async () => {
    await serveFor(peer);
    const table = await started();
    const stream = peer.open('StreamSession', { token: 'buyer' });
    const other = openTable(peer);
    stream.write({ envelope: other.envelope('buyer', 'Proposal', { proposal_id: 'p1' }) });
    for (const id of ['p1', 'p2', 'p3']) {
      stream.write({
        envelope: table.envelope('buyer', 'Proposal', { proposal_id: id }, { message_id: id }),
      });
    }
    stream.write({ envelope: other.envelope('buyer', 'Proposal', { proposal_id: 'p1' }) });
    stream.end();
    expect(await stream.status).toMatchObject({ code: 0 });
    const errors = stream.messages.filter(({ error }) => error);
    expect(errors).toMatchObject([
      { error: { code: 'SESSION_NOT_FOUND' } },
      { error: { code: 'INVALID_ENVELOPE' } },
    ]);
    const envelopes = stream.messages.filter(({ envelope }) => envelope);
    expect(envelopes).toMatchObject(['p1', 'p2', 'p3'].map((message_id) => ({ envelope: { message_id } })));
  });

  it('I-6: a subscription past the end continues with what is accepted next; a page there is refused', async () => {
    const gateway = await serveFor(peer);
    const table = await started();
    const stream = peer.open('StreamSession', { token: 'buyer' });
    await using events = await readEvents(
      `${gateway.http}/macp/session/${table.id}/envelopes?after=99`,
      'buyer',
    );
    stream.write({ subscribe_session_id: table.id, after_sequence: 99 });
    // Answered once the subscription exists.
    stream.write({ subscribe_session_id: table.id });
    expect(await stream.next()).toMatchObject({ error: { code: 'INVALID_ENVELOPE' } });
    await table.propose('seller', 'p1');
    await table.propose('seller', 'p2');
    for (const [sequence, proposal_id] of [
      [2, 'p1'],
      [3, 'p2'],
    ]) {
      expect(await stream.next()).toMatchObject({ envelope: { message_type: 'Proposal' } });
      expect((await events.next())?.json).toMatchObject({ sequence, envelope: { payload: { proposal_id } } });
    }
    stream.cancel();
    const page = await ask(`${gateway.http}/macp/session/${table.id}/envelopes?after=99`, 'buyer');
    expect(page).toMatchObject({ status: 400, code: 'INVALID_ENVELOPE' });
  });

  it('a frame with both an envelope and a subscription ends the stream', async () => {
    await serveFor(peer);
    const table = await started();
    const stream = peer.open('StreamSession', { token: 'buyer' });
    const envelope = table.envelope('buyer', 'Proposal', { proposal_id: 'p1' });
    stream.write({ envelope, subscribe_session_id: table.id });
    expect(await stream.status).toMatchObject({ code: 3, macpCode: 'INVALID_ENVELOPE' });
  });
});
