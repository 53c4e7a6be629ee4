import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GrpcPeer, type PeerStream, type Read, startPeer } from '../testing/grpc-peer.js';
import { serveFor } from '../testing/served.js';
import { openTable, START, startTable, type Table } from '../testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

function open(token = 'buyer'): PeerStream {
  return peer.open('StreamSession', { token });
}

const idsOf = (messages: readonly Read[]): unknown[] =>
  messages.map(({ envelope, error }) => (envelope ?? error) && (envelope as Read)?.['message_id']);

describe('StreamSession', () => {
  it('N-6, I-6: a subscriber gets history and live messages, once and in order', async () => {
    await serveFor(peer);
    const table = await startTable(peer);
    const propose = (id: string) =>
      table.say('seller', 'Proposal', { proposal_id: id }, { more: { message_id: id } });
    for (let count = 0; count < 30; count++) await propose(`before-${count}`);
    const stream = open();
    stream.write({ subscribe_session_id: table.id });
    const during = Array.from({ length: 30 }, (_, count) => propose(`during-${count}`));
    await Promise.all(during);
    const [first, ...rest] = await stream.take(61);
    expect(first).toMatchObject({ envelope: { message_type: 'SessionStart', sender: 'coordinator' } });
    const ids = idsOf(rest);
    expect(ids.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, count) => `before-${count}`));
    expect(new Set(ids).size).toBe(60);

    const later = open();
    later.write({ subscribe_session_id: table.id, after_sequence: 41 });
    expect(idsOf(await later.take(20))).toEqual(ids.slice(40));
    await propose('last');
    expect(idsOf([await stream.next(), await later.next()])).toEqual(['last', 'last']);
    stream.cancel();
    later.cancel();
  });

  it('N-12: an envelope comes back with every field that was sent', async () => {
    await serveFor(peer);
    const table = await startTable(peer);
    const stream = open();
    const payload = {
      proposal_id: 'p1',
      title: 'Ümlaut',
      summary: '',
      details: Buffer.of(0, 1, 255),
      tags: ['a', ''],
    };
    const sent = table.envelope('buyer', 'Proposal', payload, { message_id: 'm', timestamp_unix_ms: -5 });
    stream.write({ envelope: sent });
    const { envelope } = await stream.next();
    const { payload: bytes, ...fields } = envelope as Read & { readonly payload: Uint8Array };
    const { payload: _, ...own } = sent as Read;
    expect(fields).toEqual(own);
    expect(Buffer.from(bytes).toString('hex')).toBe(
      // 1: "p1", 2: "Ümlaut", 4: 00 01 ff, 5: "a", 5: ""
      '0a0270311207c39c6d6c61757422030001ff2a01612a00',
    );
    stream.cancel();
  });

  it('N-6: a sender follows from its first envelope on, and the stream ends when it has everything back', async () => {
    await serveFor(peer);
    const table = openTable(peer);
    const stream = open('coordinator');
    stream.write({ envelope: table.envelope('coordinator', 'SessionStart', START) });
    stream.write({ envelope: table.envelope('seller', 'Proposal', { proposal_id: 'p1' }) });
    stream.write({
      envelope: table.envelope('seller', 'Accept', { proposal_id: 'p0' }, { message_id: 'wrong' }),
    });
    stream.write({ envelope: table.envelope('seller', 'Accept', { proposal_id: 'p1' }) });
    stream.end();
    expect(await stream.status).toMatchObject({ code: 0 });
    expect(stream.messages.filter(({ envelope }) => envelope)).toMatchObject(
      ['SessionStart', 'Proposal', 'Accept'].map((message_type) => ({ envelope: { message_type } })),
    );
    expect(stream.messages.filter(({ error }) => error)).toMatchObject([
      { error: { code: 'INVALID_ENVELOPE', message_id: 'wrong', session_id: table.id } },
    ]);
  });

  it.each([
    ['an empty frame', () => ({}), 'INVALID_ENVELOPE'],
    ['bytes that are not a frame', () => Buffer.of(0x0a, 0xff), 'INVALID_ENVELOPE'],
    [
      'a sequence number beyond 53 bits',
      (table: Table) => subscribeFrame(table.id, 2n ** 60n),
      'INVALID_ENVELOPE',
    ],
    [
      'a malformed payload',
      (table: Table) => ({ envelope: table.envelope('buyer', 'Proposal', Buffer.of(7)) }),
      'INVALID_ENVELOPE',
    ],
    [
      'another session',
      () => ({ envelope: openTable(peer).envelope('buyer', 'Proposal', { proposal_id: 'x' }) }),
      'INVALID_ENVELOPE',
    ],
    ['a second subscription', (table: Table) => ({ subscribe_session_id: table.id }), 'INVALID_ENVELOPE'],
    [
      'a signal',
      (table: Table) => ({
        envelope: table.envelope('buyer', 'Signal', { signal_type: 's' }, { session_id: '', mode: '' }),
      }),
      'INVALID_ENVELOPE',
    ],
    [
      'somebody else’s name',
      (table: Table) => ({ envelope: table.envelope('_runtime', 'Proposal', { proposal_id: 'x' }) }),
      'UNAUTHENTICATED',
    ],
  ])('N-6: %s is an error on the stream, which continues', async (_, frameFor, code) => {
    await serveFor(peer);
    const table = await startTable(peer);
    const stream = open();
    stream.write({ subscribe_session_id: table.id, after_sequence: 1 });
    stream.write(frameFor(table));
    expect(await stream.next()).toMatchObject({ error: { code, message: expect.stringMatching(/\.$/) } });
    stream.write({
      envelope: table.envelope('buyer', 'Proposal', { proposal_id: 'p1' }, { message_id: 'fine' }),
    });
    expect(await stream.next()).toMatchObject({ envelope: { message_id: 'fine' } });
    stream.cancel();
  });

  it('N-6: a duplicate is reported to its sender, and delivered to nobody again', async () => {
    await serveFor(peer);
    const table = await startTable(peer);
    const stream = open();
    const envelope = table.envelope('buyer', 'Proposal', { proposal_id: 'p1' }, { message_id: 'm1' });
    stream.write({ envelope });
    expect(await stream.next()).toMatchObject({ envelope: { message_id: 'm1' } });
    stream.write({ envelope });
    expect(await stream.next()).toMatchObject({ error: { code: 'DUPLICATE_MESSAGE', message_id: 'm1' } });
    stream.write({
      envelope: table.envelope('buyer', 'Proposal', { proposal_id: 'p2' }, { message_id: 'm2' }),
    });
    expect(await stream.next()).toMatchObject({ envelope: { message_id: 'm2' } });
    stream.cancel();
  });

  it('N-6: many at once come back in order, and errors between them are reported once each', async () => {
    await serveFor(peer);
    const table = await startTable(peer);
    const stream = open();
    const propose = (id: string) =>
      stream.write({
        envelope: table.envelope('buyer', 'Proposal', { proposal_id: id }, { message_id: `of-${id}` }),
      });
    propose('first');
    await stream.next();
    const ids = Array.from({ length: 40 }, (_, index) => `p${index}`);
    for (const [index, id] of ids.entries()) {
      propose(id);
      if (index % 10 === 3) propose(id);
      if (index % 10 === 7) stream.write({});
    }
    stream.end();
    expect(await stream.status).toMatchObject({ code: 0 });
    const accepted = stream.messages.flatMap(({ envelope }): Read[] =>
      envelope === undefined ? [] : [envelope as Read],
    );
    expect(accepted.map(({ message_id }) => message_id)).toEqual(['first', ...ids].map((id) => `of-${id}`));
    const errors = stream.messages.flatMap(({ error }): Read[] =>
      error === undefined ? [] : [error as Read],
    );
    expect(errors).toHaveLength(8);
    expect(new Set(errors.map(({ code, message_id }) => `${String(code)} ${String(message_id)}`))).toEqual(
      new Set(['INVALID_ENVELOPE ', ...[3, 13, 23, 33].map((number) => `DUPLICATE_MESSAGE of-p${number}`)]),
    );
  });

  it('N-28: a stream that subscribes to a missing session ends at once, and can be opened again', async () => {
    await serveFor(peer);
    const table = openTable(peer);
    const streams = [open(), open()];
    for (const stream of streams) stream.write({ subscribe_session_id: table.id });
    streams[1]?.end();
    for (const stream of streams) {
      expect(await stream.status).toMatchObject({ code: 5, macpCode: 'SESSION_NOT_FOUND' });
      expect(stream.messages).toEqual([]);
    }
    await table.start();
    const again = open();
    again.write({ subscribe_session_id: table.id });
    expect(await again.next()).toMatchObject({ envelope: { message_type: 'SessionStart' } });
    again.cancel();
  });

  it('I-7: too many malformed frames end the stream', async () => {
    await serveFor(peer, 'dev: true\nlimits: { bad_messages_per_connection: 5/min }');
    const stream = open();
    for (let count = 0; count < 10; count++) stream.write({});
    expect(await stream.status).toMatchObject({ code: 8 });
    expect(stream.messages).toHaveLength(6);
  });

  it('I-4: a revoked credential ends the stream', async () => {
    const gateway = await serveFor(peer);
    const table = await startTable(peer);
    const stream = open();
    stream.write({ subscribe_session_id: table.id });
    await stream.next();
    const { parseConfig } = await import('../../../config/index.js');
    const { config } = parseConfig('participants: { a: { tokens: ["sha256:' + 'a'.repeat(64) + '"] } }', {
      file: 'x',
    });
    if (config !== undefined) gateway.gateway.reload(config);
    expect(await stream.status).toMatchObject({ code: 16 });
  });
});

/** A frame that protobufjs would not write: a 64-bit number that JavaScript cannot represent. */
function subscribeFrame(id: string, after: bigint): Buffer {
  const varint: number[] = [];
  for (let rest = after; rest > 0n; rest >>= 7n)
    varint.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
  return Buffer.concat([Buffer.of(0x12, id.length), Buffer.from(id), Buffer.of(0x18, ...varint)]);
}
