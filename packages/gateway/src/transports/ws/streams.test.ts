import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { joinAs, ofId, ofKind, rootOf } from '../../testing/peers/mew-client.js';
import { connectPeer } from '../../testing/peers/peer.js';
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
type Client = Awaited<ReturnType<typeof enter>>;

/** @returns the id that `stream/open` names */
async function openStream(client: Client, id: string, more: JsonObject = {}): Promise<string> {
  client.send({ id, kind: 'stream/request', to: ['gateway'], payload: { direction: 'upload', ...more } });
  const isAbout = ({ correlation_id: ids }: JsonObject) => Array.isArray(ids) && ids.includes(id);
  const { payload } = await client.next((message) => ofKind('stream/open')(message) && isAbout(message));
  const name = isJsonObject(payload) ? payload['stream_id'] : undefined;
  return typeof name === 'string' ? name : '';
}

const refusedWith = (code: string) => (message: JsonObject) =>
  ofKind('system/error')(message) && isJsonObject(message['payload']) && message['payload']['error'] === code;

describe('the streams of mew', () => {
  it('O-27: reach the others while they are open, and newcomers hear of them', async () => {
    await using gateway = await startTestGateway(CONFIG());
    await using owner = await enter(gateway, 'owner');
    await using friend = await enter(gateway, 'friend');
    await friend.next(ofKind('system/welcome'));
    const described = { description: 'thoughts', custom: { a: 1 } };
    const id = await openStream(owner, 'owner-1', described);
    expect(await friend.next(ofKind('stream/open'))).toMatchObject({
      payload: { stream_id: id, owner: 'owner' },
    });
    owner.raw(`#${id}#one # two`);
    expect(await friend.nextFrame(() => true)).toBe(`#${id}#one # two`);
    owner.raw(Buffer.from(`#${id}#bytes`));
    await friend.nextFrame((frame) => frame.endsWith('bytes'));
    expect(owner.frames).toEqual([]);

    await using late = await enter(gateway, 'other');
    expect(await late.next(ofKind('system/welcome'))).toMatchObject({
      payload: {
        active_streams: [
          { stream_id: id, owner: 'owner', direction: 'upload', created: expect.any(String), ...described },
        ],
      },
    });

    owner.send({ id: 'owner-2', kind: 'stream/close', payload: { stream_id: id, reason: 'complete' } });
    expect(await friend.next(ofKind('stream/close'))).toMatchObject({
      payload: { stream_id: id, reason: 'complete' },
    });
    owner.raw(`#${id}#too late`);
    await owner.next(refusedWith('stream_not_found'));
    await expect(historyOf(gateway)).resolves.toBe(0);
  });

  it('I-4: are written and closed by whoever opened them, and end with its connection', async () => {
    await using gateway = await startTestGateway(CONFIG());
    await using friend = await enter(gateway, 'friend');
    const owner = await enter(gateway, 'owner');
    const id = await openStream(owner, 'owner-1');
    await friend.next(ofKind('stream/open'));
    friend.raw(`#${id}#forged`);
    await friend.next(refusedWith('not_stream_owner'));
    friend.send({ id: 'friend-1', kind: 'stream/close', payload: { stream_id: id } });
    await friend.next(
      (message) => refusedWith('not_stream_owner')(message) && message['correlation_id'] !== undefined,
    );
    await owner[Symbol.asyncDispose]();
    expect(await friend.next(ofKind('stream/close'))).toMatchObject({
      payload: { stream_id: id, reason: 'owner_left' },
    });
    expect(owner.frames).toEqual([]);
  });

  it('O-21: with a target reach nobody else, and are not known to others where that is kept between them', async () => {
    await using gateway = await startTestGateway(CONFIG('{ visibility: addressed }'));
    await using owner = await enter(gateway, 'owner');
    await using friend = await enter(gateway, 'friend');
    await using other = await enter(gateway, 'other');
    await friend.next(ofKind('system/welcome'));
    await other.next(ofKind('system/welcome'));
    const secret = await openStream(owner, 'owner-1', { target: ['friend'] });
    const open = await openStream(owner, 'owner-2');
    owner.raw(`#${secret}#secret`);
    owner.raw(`#${open}#open`);
    expect(await friend.nextFrame(() => true)).toContain('secret');
    expect(await other.nextFrame(() => true)).toContain('open');
    expect(await other.next(ofKind('stream/open'))).toMatchObject({
      payload: { stream_id: open },
    });
    owner.send({
      id: 'owner-3',
      kind: 'stream/request',
      payload: { direction: 'upload', target: ['nobody'] },
    });
    await owner.next(refusedWith('target_not_found'));
  });

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

  it('I-7: cost somebody who does not read them its connection, and nobody else', async () => {
    await using gateway = await startTestGateway(CONFIG('{}', '{ unacknowledged_per_connection: 1MiB }'));
    await using owner = await enter(gateway, 'owner');
    await using slow = await enter(gateway, 'friend');
    await slow.next(ofKind('system/welcome'));
    const id = await openStream(owner, 'owner-1');
    slow.webSocket.pause();
    // More than the system keeps for it on both sides, one at a time, so that the other one can follow.
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

  it('O-6: are refused to whoever could not read their data', async () => {
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

/** How much the journal has of the space. */
async function historyOf(gateway: TestGateway): Promise<number> {
  await using peer = await connectPeer(gateway.ws, 'owner');
  const { payload } = await peer.next(({ kind }) => kind === 'system.welcome');
  return Number(payload['seq']);
}
