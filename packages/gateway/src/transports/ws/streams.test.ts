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
