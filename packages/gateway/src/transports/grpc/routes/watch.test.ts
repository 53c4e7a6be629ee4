import { listPolicies, policyRegistry } from '@proffer/core/negotiation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedConfig } from '../../../testing/strangers.js';
import { type GrpcPeer, type PeerStream, startPeer } from '../testing/grpc-peer.js';
import { serveFor } from '../testing/served.js';
import { openTable } from '../testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

const token = (name: string): string => `token-of-${name}`;

/** One request, then the responses. */
function watch(method: string, token = 'buyer'): PeerStream {
  const stream = peer.open(method, { token });
  stream.write({});
  stream.end();
  return stream;
}

describe('watching', () => {
  it('N-4: WatchSessions reports existing sessions, and their changes', async () => {
    await serveFor(peer);
    const old = openTable(peer);
    await old.start();
    const stream = watch('WatchSessions');
    const told = (event_type: string, session_id: string) => ({
      event: { event_type: `EVENT_TYPE_${event_type}`, session: { session_id } },
    });
    expect(await stream.next()).toMatchObject(told('CREATED', old.id));
    const table = openTable(peer);
    await table.start();
    const about = { session_id: table.id };
    await peer.ask('SuspendSession', about, { token: 'coordinator' });
    await peer.ask('ResumeSession', about, { token: 'coordinator' });
    await peer.ask('CancelSession', about, { token: 'coordinator' });
    const events = ['CREATED', 'SUSPENDED', 'RESUMED', 'CANCELLED'];
    expect(await stream.take(4)).toMatchObject(events.map((event) => told(event, table.id)));
    stream.cancel();
  });

  it('WatchSignals delivers signals as they are sent, and they are never stored', async () => {
    await serveFor(peer);
    const stream = watch('WatchSignals');
    await stream.began;
    const table = openTable(peer, '');
    const signal = { signal_type: 'heartbeat', data: Buffer.of(1, 2), confidence: 0.5 };
    const ack = await table.say('seller', 'Signal', signal, { more: { mode: '' } });
    expect(ack).toMatchObject({ ok: true });
    const { envelope, sender_authenticated } = await stream.next();
    // In dev mode anybody can say this, so nobody may act on it.
    expect(sender_authenticated).toBe(false);
    expect(envelope).toMatchObject({ message_type: 'Signal', sender: 'seller', session_id: '', mode: '' });
    const { payload } = envelope as { readonly payload: Uint8Array };
    expect(Buffer.from(payload).toString('hex')).toBe('0a096865617274626561741202010219000000000000e03f');
    await table.say('seller', 'Progress', { progress_token: 't', progress: 0.5 }, { more: { mode: '' } });
    expect(await stream.next()).toMatchObject({ envelope: { message_type: 'Progress', sender: 'seller' } });
    const unnamed = await table.say('seller', 'Signal', { data: Buffer.of(1) }, { more: { mode: '' } });
    expect(unnamed).toMatchObject({ ok: false, error: { code: 'INVALID_ENVELOPE' } });
    stream.cancel();
  });

  it('N-7: WatchSignals says that senders with tokens are authenticated', async () => {
    await serveFor(peer, closedConfig({ buyer: '', seller: '' }));
    const stream = watch('WatchSignals', token('buyer'));
    await stream.began;
    const table = openTable(peer, '', token);
    await table.say('seller', 'Signal', { signal_type: 'heartbeat' }, { more: { mode: '' } });
    expect(await stream.next()).toMatchObject({ sender_authenticated: true });
    stream.cancel();
  });

  it('N-13: WatchPolicies reports the policies, and again when they change', async () => {
    await serveFor(peer);
    const stream = watch('WatchPolicies');
    const builtIn = listPolicies(policyRegistry.initial).map(({ mode, policy_id }) => ({ mode, policy_id }));
    expect(await stream.next()).toMatchObject({ descriptors: builtIn });
    const policy_descriptor = { policy_id: 'policy.mine', mode: '*', rules: '{}', schema_version: 1 };
    await peer.ask('RegisterPolicy', { policy_descriptor }, { token: 'buyer' });
    expect(await stream.next()).toMatchObject({ descriptors: [...builtIn, { policy_id: 'policy.mine' }] });
    stream.cancel();
  });

  it('WatchModeRegistry reports when the modes change, WatchRoots the current state', async () => {
    await serveFor(peer);
    const modes = watch('WatchModeRegistry');
    expect(await modes.next()).toMatchObject({ change: { registry: 'modes' } });
    const mode_descriptor = { mode: 'ext.mode.v1', mode_version: '1', message_types: ['Bid'] };
    await peer.ask('RegisterExtMode', { mode_descriptor }, { token: 'buyer' });
    expect(await modes.next()).toMatchObject({ change: { registry: 'modes' } });
    const roots = watch('WatchRoots');
    expect(await roots.next()).toMatchObject({ change: { observed_at_unix_ms: expect.any(Number) } });
    modes.cancel();
    roots.cancel();
  });
});
