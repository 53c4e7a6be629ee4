import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { describeStreams, openStream, refusedWith, STREAMS } from '../../testing/across/streams.js';
import { joinAs, ofId, ofKind, rootOf } from '../../testing/peers/mew-client.js';
import { connectPeer } from '../../testing/peers/peer.js';
import { onOneGateway } from '../../testing/places.js';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.js';

const CONFIG = (space = '{}', limits = '{}') => `
dev: true
journal: { backend: memory }
spaces: { main: ${space} }
limits: ${limits}
participants:
  owner: { spaces: { main: ["*"] } }
  friend: { spaces: { main: ["*"] } }
  other: { spaces: { main: ["*"] } }
`;

const enter = (gateway: TestGateway, name: string) =>
  joinAs(rootOf(gateway.http), { type: 'join', space: 'main', token: name, participantId: name });

describeStreams('one gateway', onOneGateway(STREAMS));

describe('mew streams', () => {
  it('I-7: are limited in number and size', async () => {
    await using gateway = await startTestGateway(CONFIG());
    await using owner = await enter(gateway, 'owner');
    const id = await openStream(owner, 'owner-0');
    for (let index = 1; index < 16; index++) await openStream(owner, `owner-${index}`);
    owner.send({ id: 'owner-16', kind: 'stream/request', payload: { direction: 'upload' } });
    await owner.next(refusedWith('too_many_streams'));
    owner.raw(`#${id}#${'x'.repeat(65_536)}`);
    await owner.next(refusedWith('too_large'));
  });

  it('I-7: cost a client that does not read them its connection, and nobody else', async () => {
    await using gateway = await startTestGateway(CONFIG('{}', '{ unacknowledged_per_connection: 1MiB }'));
    await using owner = await enter(gateway, 'owner');
    await using slow = await enter(gateway, 'friend');
    await slow.next(ofKind('system/welcome'));
    const id = await openStream(owner, 'owner-1');
    slow.webSocket.pause();
    // More than the system buffers on both sides, one at a time, so that the other one can follow.
    await using reader = await enter(gateway, 'other');
    await reader.next(ofKind('system/welcome'));
    for (let index = 0; index < 400; index++) {
      owner.raw(`#${id}#${index} ${'x'.repeat(60_000)}`);
      await reader.nextFrame((frame) => frame.startsWith(`#${id}#${index} `));
    }
    slow.webSocket.resume();
    await slow.closed;
    expect(slow.frames.length).toBeLessThan(400);
  });

  it('I-4: stay with a new owner when the previous one leaves, and lose a writer that leaves', async () => {
    await using gateway = await startTestGateway(CONFIG());
    await using friend = await enter(gateway, 'friend');
    const owner = await enter(gateway, 'owner');
    const other = await enter(gateway, 'other');
    await friend.next(ofKind('system/welcome'));
    await other.next(ofKind('system/welcome'));
    const id = await openStream(owner, 'owner-1');
    const give = (more: JsonObject) => ({ protocol: 'mew/v0.4', payload: { stream_id: id, ...more } });
    owner.send({ id: 'g', kind: 'stream/grant-write', ...give({ participant_id: 'other' }) });
    await friend.next(ofKind('stream/write-granted'));
    await other[Symbol.asyncDispose]();
    expect(await friend.next(ofKind('stream/write-revoked'))).toMatchObject({
      payload: { participant_id: 'other', authorized_writers: ['owner'] },
    });
    owner.send({ id: 't', kind: 'stream/transfer-ownership', ...give({ new_owner: 'friend' }) });
    await friend.next(ofKind('stream/ownership-transferred'));
    await owner[Symbol.asyncDispose]();
    friend.raw(`#${id}#still open`);
    await friend.nextFrame((frame) => frame.endsWith('still open'));
    await using late = await enter(gateway, 'other');
    expect(await late.next(ofKind('system/welcome'))).toMatchObject({
      payload: { active_streams: [{ stream_id: id, owner: 'friend', authorized_writers: ['friend'] }] },
    });
  });

  it('I-4: can be requested and closed over HTTP by somebody who is connected', async () => {
    await using gateway = await startTestGateway(CONFIG());
    const post = async (name: string, message: JsonObject) => {
      const response = await fetch(`${gateway.http}/participants/${name}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${name}` },
        body: JSON.stringify(message),
      });
      return response.status;
    };
    const request = { id: 'posted', kind: 'stream/request', payload: { description: 'posted' } };
    expect(await post('owner', request)).toBe(400);
    const owner = await enter(gateway, 'owner');
    await using friend = await enter(gateway, 'friend');
    await owner.next(ofKind('system/welcome'));
    await friend.next(ofKind('system/welcome'));
    expect(await post('owner', request)).toBe(200);
    const { payload } = await friend.next(ofKind('stream/open'));
    expect(payload).toMatchObject({ owner: 'owner' });
    expect(await post('friend', { kind: 'stream/close', payload })).toBe(403);
    await owner[Symbol.asyncDispose]();
    expect(await friend.next(ofKind('stream/close'))).toMatchObject({ payload: { reason: 'owner_left' } });
  });

  it('O-7: announced between participants are carried, but not under the id of one of the gateway', async () => {
    await using gateway = await startTestGateway(CONFIG());
    await using owner = await enter(gateway, 'owner');
    await using friend = await enter(gateway, 'friend');
    await friend.next(ofKind('system/welcome'));
    owner.send({ id: 'o-1', kind: 'stream/open', to: ['friend'], payload: { stream_id: 'stream-123' } });
    expect(await friend.next(ofId('o-1'))).toMatchObject({ from: 'owner', kind: 'stream/open' });
    owner.raw('#stream-123#data');
    await owner.next(refusedWith('stream_not_found'));
    owner.send({ id: 'o-2', kind: 'stream/close', correlation_id: ['o-1'], payload: { reason: 'complete' } });
    expect(await friend.next(ofId('o-2'))).toMatchObject({ correlation_id: ['o-1'] });
    const id = await openStream(owner, 'owner-1');
    const next = id.replace(/\d+$/, (number) => String(Number(number) + 1));
    for (const taken of [id, next, 'stream-0123abcd-7']) {
      const forged = {
        id: `o-${taken}`,
        kind: 'stream/open',
        payload: { stream_id: taken, owner: 'friend' },
      };
      friend.send(forged);
      const refused = await friend.next(
        ({ correlation_id: about }) => Array.isArray(about) && about.includes(forged.id),
      );
      expect(refused).toMatchObject({ kind: 'system/error', payload: { error: 'invalid_field' } });
    }
    friend.raw(`#${id}#forged`);
    await friend.next(refusedWith('unauthorized_stream_write'));
  });

  it("O-6: are only said to be somebody else's by the gateway", async () => {
    await using gateway = await startTestGateway(CONFIG());
    await using owner = await enter(gateway, 'owner');
    await using friend = await enter(gateway, 'friend');
    const id = await openStream(owner, 'owner-1');
    for (const kind of ['ownership-transferred', 'write-granted', 'write-revoked']) {
      const payload = { stream_id: id, new_owner: 'friend', authorized_writers: ['friend'] };
      friend.send({ id: kind, kind: `stream/${kind}`, payload });
      await friend.next(refusedWith('reserved_kind'));
    }
    friend.raw(`#${id}#forged`);
    await friend.next(refusedWith('unauthorized_stream_write'));
  });

  it('O-8: go only to those whom a capability names', async () => {
    await using gateway = await startTestGateway(
      `${CONFIG()}  limited: { spaces: { main: [{ kind: "stream.request", to: [friend] }] } }\n`,
    );
    await using limited = await enter(gateway, 'limited');
    await using friend = await enter(gateway, 'friend');
    await using other = await enter(gateway, 'other');
    await friend.next(ofKind('system/welcome'));
    await other.next(ofKind('system/welcome'));
    for (const target of [undefined, ['other']]) {
      limited.send({ id: 's-1', kind: 'stream/request', to: ['friend'], payload: { target } });
      await limited.next(refusedWith('capability_violation'));
    }
    limited.send({ id: 's-2', kind: 'stream/request', payload: { target: ['friend'] } });
    await friend.next(ofKind('stream/open'));
    expect(other.frames.some((frame) => frame.includes('stream/open'))).toBe(false);
  });

  it('O-6: are refused to clients that could not read their data', async () => {
    await using gateway = await startTestGateway(CONFIG());
    await using peer = await connectPeer(gateway.ws, 'owner');
    peer.send({ id: 's-1', kind: 'stream.request', payload: { direction: 'upload' } });
    expect(await peer.next(({ kind }) => kind === 'system.error')).toMatchObject({
      payload: { error: 'invalid_field', field: 'kind' },
    });
    await using mew = await enter(gateway, 'friend');
    mew.send({ id: 'friend-1', kind: 'chat', payload: { text: 'still here' } });
    await mew.next(ofId('friend-1'));
  });
});
