import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loopbackConfig } from '../../loopback.js';
import { closedConfig } from '../../testing/strangers.js';
import { type GrpcPeer, type PeerStream, startPeer } from './testing/grpc-peer.js';
import { serveFor } from './testing/served.js';
import { openTable, type Table } from './testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

const CAST = { coordinator: '', buyer: '', seller: '' };
const WITHOUT_SELLER = loopbackConfig(closedConfig({ coordinator: '', buyer: '' }));
const REVOKED = {
  code: 16,
  macpCode: 'UNAUTHENTICATED',
  details: expect.stringMatching(/^UNAUTHENTICATED: /),
};
const tokenOf = (name: string): string => `token-of-${name}`;

function watch(method: string, name: string): PeerStream {
  const stream = peer.open(method, { token: tokenOf(name) });
  stream.write({});
  stream.end();
  return stream;
}

/** Every kind of stream that needs a token, each at the point where nothing more will arrive on its own. */
async function openAll(table: Table, name: string): Promise<readonly PeerStream[]> {
  const silent = peer.open('StreamSession', { token: tokenOf(name) });
  const sender = peer.open('StreamSession', { token: tokenOf(name) });
  sender.write({ envelope: table.envelope(name, 'Proposal', { proposal_id: `of-${name}`, title: 'Offer' }) });
  await Promise.all([silent.began, sender.next()]);
  const follower = peer.open('StreamSession', { token: tokenOf(name) });
  follower.write({ subscribe_session_id: table.id, after_sequence: 0 });
  const sessions = watch('WatchSessions', name);
  const policies = watch('WatchPolicies', name);
  const signals = watch('WatchSignals', name);
  await Promise.all([follower.next(), sessions.next(), policies.next(), signals.began]);
  return [silent, sender, follower, sessions, policies, signals];
}

describe('token revoked by a reload', () => {
  it('I-4: ends every stream that was opened with it, and none of the others', async () => {
    const { gateway } = await serveFor(peer, closedConfig(CAST));
    const table = openTable(peer, undefined, tokenOf);
    await table.start();
    const [silent, sender, follower, sessions, policies, signals] = await openAll(table, 'buyer');
    const ended = await openAll(table, 'seller');
    gateway.reload(WITHOUT_SELLER);
    for (const stream of ended) expect(await stream.status).toMatchObject(REVOKED);

    await table.propose('buyer', 'p2');
    silent?.write({ subscribe_session_id: table.id, after_sequence: 3 });
    const p2 = { envelope: { sender: 'buyer', message_type: 'Proposal' } };
    expect(await silent?.next()).toMatchObject(p2);
    expect((await sender?.take(2))?.at(-1)).toMatchObject(p2);
    expect((await follower?.take(3))?.at(-1)).toMatchObject(p2);
    const ambient = { session_id: '', mode: '' };
    await table.say('buyer', 'Signal', { signal_type: 'heartbeat' }, { more: ambient });
    expect(await signals?.next()).toMatchObject({ envelope: { message_type: 'Signal' } });
    await peer.ask('CancelSession', { session_id: table.id }, { token: tokenOf('coordinator') });
    expect(await sessions?.next()).toMatchObject({ event: { event_type: 'EVENT_TYPE_CANCELLED' } });
    expect(policies?.messages).toHaveLength(1);
    for (const stream of [silent, sender, follower, sessions, policies, signals]) stream?.cancel();
  });

  it('I-4: is worthless on a connection that knew it, until it is restored', async () => {
    const { gateway } = await serveFor(peer, closedConfig(CAST));
    const table = openTable(peer, undefined, tokenOf);
    await table.start();
    expect(await table.propose('seller', 'p1')).toMatchObject({ ok: true });
    gateway.reload(WITHOUT_SELLER);
    expect(await table.propose('seller', 'p2')).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    expect(await table.unreadable('seller')).toMatchObject(REVOKED);
    expect(await watch('WatchSessions', 'seller').status).toMatchObject(REVOKED);
    expect(await watch('StreamSession', 'seller').status).toMatchObject(REVOKED);
    gateway.reload(loopbackConfig(closedConfig(CAST)));
    expect(await table.propose('seller', 'p3')).toMatchObject({ ok: true });
  });
});
