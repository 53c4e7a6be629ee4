import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { encodeEnvelope, RUNTIME_SERVICE as RPC } from '@proffer/wire';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readMetric, until } from '../../testing/metrics.js';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.js';
import { type GrpcPeer, startPeer } from './testing/grpc-peer.js';
import { ackOf, answerOf, connectRaw, framed } from './testing/raw-call.js';
import { openTable, type Table } from './testing/table.js';

let peer: GrpcPeer;
let gateway: TestGateway;
let table: Table;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());
beforeEach(async () => {
  gateway = await startTestGateway('dev: true\nlimits: { unacknowledged_per_connection: 2MiB }');
  peer.target = `127.0.0.1:${gateway.grpcPort}`;
  table = openTable(peer);
  await table.start();
});
afterEach(async () => {
  // Whatever was done to it, others are served.
  const { ok } = await table.propose('seller', `served-${randomUUID()}`);
  if (ok !== true) throw new Error('Others are not served any more.');
  await gateway.gateway.close();
});

/** A proposal in wire form. */
function proposal(id: string): Buffer {
  return RPC.send.request.write({
    envelope: encodeEnvelope({
      macp_version: '1.0',
      mode: 'macp.mode.proposal.v1',
      message_type: 'Proposal',
      message_id: id,
      session_id: table.id,
      sender: 'buyer',
      timestamp_unix_ms: 1,
      payload: { proposal_id: id, title: 'title', summary: 'ü', details: 'AAEC', tags: ['a', 'b'] },
    }),
  });
}

describe('hostile bytes', () => {
  it('unknown fields are ignored, and numbers beyond 53 bits are refused as a value', async () => {
    using raw = await connectRaw(gateway.grpcPort);
    const unknown = Buffer.from([0xa0, 0x06, 0x05, 0xaa, 0x06, 0x01, 0x41, 0xad, 0x06, 1, 2, 3, 4]);
    const { ack } = await ackOf(raw, Buffer.concat([proposal('known'), unknown]));
    expect(ack).toMatchObject({ ok: true });
    const late = Buffer.from([0x0a, 0x0b, 0x38, ...Array<number>(9).fill(0xff), 0x01]);
    expect((await ackOf(raw, late)).ack?.error?.code).toBe('INVALID_ENVELOPE');
    const huge = Buffer.from([0x0a, 0x0a, 0x38, ...Array<number>(8).fill(0xff), 0x7f]);
    expect((await ackOf(raw, huge)).ack?.error).toMatchObject({
      code: 'INVALID_ENVELOPE',
      details: { field: 'envelope.timestamp_unix_ms' },
    });
  });
});

describe('hostile framing', () => {
  it('I-7: a prefix that announces 2 GB is refused at once', async () => {
    using raw = await connectRaw(gateway.grpcPort);
    const stream = raw.begin(RPC.send.path);
    const answer = answerOf(stream);
    stream.write(framed(Buffer.from('x'), { length: 0x7fffffff }));
    const { headers } = await answer;
    expect(headers).toMatchObject({ 'grpc-status': '8' });
    expect(headers['grpc-message']).toContain('PAYLOAD_TOO_LARGE');
  });

  it('I-7: unfinished messages cost what has arrived, and no more than the limit', async () => {
    using raw = await connectRaw(gateway.grpcPort);
    const streams = Array.from({ length: 12 }, () => raw.begin(RPC.send.path));
    const over = Promise.race(streams.map((stream) => answerOf(stream)));
    for (const stream of streams) stream.write(framed(Buffer.alloc(1_000_000), { length: 4_000_000 }));
    expect((await over).headers).toMatchObject({
      'grpc-status': '8',
      'grpc-message': expect.stringContaining('RATE_LIMITED'),
    });
    for (const stream of streams) stream.close(8);
    await until(() => streams.every(({ destroyed }) => destroyed));
    // What was held is free again.
    const { ack } = await ackOf(raw, proposal('after'));
    expect(ack).toMatchObject({ ok: true });
  });

  it('a call cut at any byte leaves no trace, and a complete one succeeds afterwards', async () => {
    const whole = framed(proposal('cut'));
    for (let at = 0; at < whole.length; at++) {
      using raw = await connectRaw(gateway.grpcPort);
      const stream = raw.begin(RPC.send.path);
      await new Promise((resolve) => stream.write(whole.subarray(0, at), resolve));
      if (at % 2 === 0) stream.close(8);
      else raw.session.destroy();
    }
    using raw = await connectRaw(gateway.grpcPort);
    const short = await raw.call(RPC.send.path, whole.subarray(0, whole.length - 1));
    expect(short.headers['grpc-status']).toBe('13');
    for (const body of [Buffer.alloc(0), Buffer.concat([whole, whole])]) {
      expect((await raw.call(RPC.send.path, body)).headers['grpc-status']).toBe('13');
    }
    const { ack } = await ackOf(raw, proposal('cut'));
    expect(ack).toMatchObject({ ok: true, duplicate: false });
  });

  it('a message that arrives byte by byte is read as if it came at once', async () => {
    using raw = await connectRaw(gateway.grpcPort);
    const stream = raw.begin(RPC.streamSession.path);
    const messages = [proposal('a'), proposal('b')].map((message) => framed(message));
    for (const byte of Buffer.concat(messages)) stream.write(Buffer.of(byte));
    const over = answerOf(stream);
    stream.end();
    const { headers, messages: answers } = await over;
    expect([headers['grpc-status'], answers.length]).toEqual(['0', 2]);
  });

  it('I-7: a follower that does not read is disconnected, and delays nobody', async () => {
    using raw = await connectRaw(gateway.grpcPort);
    const stream = raw.begin(RPC.streamSession.path);
    const follow = { subscribe_session_id: table.id, after_sequence: 0 };
    stream.write(framed(RPC.streamSession.request.write(follow)));
    await once(stream, 'data');
    stream.pause();
    const details = Buffer.alloc(900_000);
    const sentAway = () => readMetric(gateway.http, 'proffer_subscribers_fell_behind_total');
    for (let count = 0; (await sentAway()) === 0; count++) {
      const ack = await table.say('seller', 'Proposal', { proposal_id: `large-${count}`, details });
      expect(ack).toMatchObject({ ok: true });
      expect(count).toBeLessThan(60);
    }
    const over = answerOf(stream);
    stream.resume();
    const { headers, messages } = await over;
    expect([headers['grpc-status'], stream.rstCode]).toContainEqual(
      headers['grpc-status'] === undefined ? 8 : '8',
    );
    expect(messages.length).toBeLessThan(20);
  });

  it('I-7: a caller that does not read its answers is told so, not served from memory', async () => {
    for (let count = 0; count < 5; count++) {
      await table.say('seller', 'Proposal', { proposal_id: `p${count}`, details: Buffer.alloc(100) });
    }
    using raw = await connectRaw(gateway.grpcPort);
    const rules = JSON.stringify({
      commitment: {
        authority: 'designated_role',
        designated_roles: Array.from({ length: 250 }, (_, index) => `somebody-${index}-${'x'.repeat(200)}`),
      },
    });
    for (let count = 0; count < 8; count++) {
      const policy_descriptor = { policy_id: `policy.large-${count}`, mode: '*', rules, schema_version: 1 };
      await peer.ask('RegisterPolicy', { policy_descriptor }, { token: 'buyer' });
    }
    const asked = Array.from({ length: 60 }, () => {
      const stream = raw.begin(RPC.listPolicies.path);
      stream.pause();
      const headers = once(stream, 'response') as Promise<[Record<string, unknown>]>;
      stream.end(framed(Buffer.of()));
      return headers;
    });
    const statuses = (await Promise.all(asked)).map(([headers]) => headers['grpc-status']);
    expect(statuses.filter((status) => status === '8').length).toBeGreaterThan(30);
  });
});
