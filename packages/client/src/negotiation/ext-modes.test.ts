import { type ModeDescriptor, MULTI_ROUND_MODE } from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { startRelay } from '../testing/relay.js';
import type { MacpClient } from './macp-client.js';
import { MacpSession } from './session/macp-session.js';
import { participant, WAYS } from './testing/ways.js';

const DESCRIPTOR: ModeDescriptor = {
  mode: 'ext.auction.v1',
  mode_version: '2.1.0',
  title: 'Auction',
  description: '',
  determinism_class: 'structural-only',
  participant_model: 'declared',
  message_types: ['SessionStart', 'Bid', 'Award', 'Commitment'],
  terminal_message_types: ['Award', 'Commitment'],
  schema_uris: {},
};

const [grpc, ...others] = [...WAYS].sort((left) => (left.name === 'gRPC' ? -1 : 1));
if (grpc === undefined) throw new Error('There is no gRPC.');

/** The extension modes that somebody registered. */
async function registered(client: MacpClient): Promise<string> {
  const modes = (await client.listExtModes()).filter(({ mode }) => mode !== MULTI_ROUND_MODE);
  return modes.map(({ mode, title }) => `${mode} ${title}`).join();
}

describe('extension modes over gRPC', () => {
  it('are registered, renamed and unregistered, and watchers are notified each time', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(grpc, grpc.port(gateway), 'ann');
    const steps = [
      () => client.registerExtMode(DESCRIPTOR),
      () => client.unregisterExtMode('ext.auction.v1'),
      () => client.registerExtMode(DESCRIPTOR),
      () => client.promoteMode('ext.auction.v1', 'ext.auction.v2'),
    ];
    const seen: string[] = [];
    for await (const { observedAt } of client.watchModeRegistry()) {
      expect(observedAt).toBeGreaterThan(0);
      seen.push(await registered(client));
      const step = steps.shift();
      if (step === undefined) break;
      await step();
    }
    expect(seen).toEqual(['', 'ext.auction.v1 Auction', '', 'ext.auction.v1 Auction', '']);
    expect((await client.listModes()).at(-1)).toEqual({ ...DESCRIPTOR, mode: 'ext.auction.v2' });
    await expect(client.unregisterExtMode('ext.auction.v3')).rejects.toMatchObject({
      code: 'MODE_NOT_SUPPORTED',
    });
    await expect(client.unregisterExtMode('ext.auction.v2')).rejects.toThrow('promoted');
    await expect(client.promoteMode('ext.auction.v3', 'ext.auction.v4')).rejects.toMatchObject({
      code: 'MODE_NOT_SUPPORTED',
    });
  });

  it('I-2: a change whose answer was lost is found to be done', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(grpc.port(gateway));
    await using client = participant(grpc, relay.port, 'ann');
    await using witness = participant(grpc, grpc.port(gateway), 'ann');
    await client.registerExtMode(DESCRIPTOR);
    await client.registerExtMode({ ...DESCRIPTOR, mode: 'ext.other.v1' });
    const onceChanged = async (before: string): Promise<string> => {
      for await (const _ of witness.watchModeRegistry()) {
        const now = await registered(witness);
        if (now !== before) return now;
      }
      return '';
    };
    const renamed = onceChanged(await registered(witness));
    relay.muteGateway();
    const promoted = client.promoteMode('ext.auction.v1', 'ext.auction.v2');
    expect(await renamed).toBe('ext.other.v1 Auction');
    relay.cut();
    expect(await promoted).toBe('ext.auction.v2');
    const emptied = onceChanged(await registered(witness));
    relay.muteGateway();
    const removed = client.unregisterExtMode('ext.other.v1');
    expect(await emptied).toBe('');
    relay.cut();
    await expect(removed).resolves.toBeUndefined();
  });

  it('roots are reported once, and do not change', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(grpc, grpc.port(gateway), 'ann');
    for await (const { observedAt } of client.watchRoots()) {
      expect(observedAt).toBeGreaterThan(0);
      break;
    }
  });
});

it.each(others)('changes of modes are refused as unsupported over $name, at once', async (way) => {
  await using gateway = await startTestGateway();
  await using client = participant(way, way.port(gateway), 'ann');
  const calls = [
    client.registerExtMode(DESCRIPTOR),
    client.unregisterExtMode('x'),
    client.promoteMode('x', 'y'),
    client.watchModeRegistry().next(),
    client.watchRoots().next(),
  ];
  for (const call of calls) {
    await expect(call).rejects.toMatchObject({ code: 'UNSUPPORTED', retryable: false });
  }
});

describe.each(WAYS)('a session in a registered mode over $name', (way) => {
  it('N-31: runs as the mode declares, and its followers see what was sent and how it ended', async () => {
    await using gateway = await startTestGateway();
    await using operator = participant(grpc, grpc.port(gateway), 'operator');
    await operator.registerExtMode(DESCRIPTOR);
    await using chair = participant(way, way.port(gateway), 'chair');
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new MacpSession(chair, { mode: DESCRIPTOR.mode });
    await session.start({
      intent: 'sell the boat',
      participants: ['ann', 'bob'],
      ttlMs: 60_000,
    });
    expect((await chair.findMode(DESCRIPTOR.mode))?.mode_version).toBe('2.1.0');
    expect(await registered(chair)).toBe('ext.auction.v1 Auction');
    await using joined = await MacpSession.join(ann, session.sessionId);
    await joined.send('Bid', { amount: 5, note: 'mit Segel €' });
    await joined.send('Bid', { bytes: 'AP8=' });
    await expect(joined.send('Vote', {})).rejects.toMatchObject({ code: 'INVALID_ENVELOPE' });
    await expect(joined.send('Award', {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
    // It keeps its description.
    await operator.unregisterExtMode(DESCRIPTOR.mode);
    const heard: unknown[] = [];
    await using late = await MacpSession.join(ann, session.sessionId).catch(() => joined);
    expect(late.projection.transcript).toHaveLength(3);
    const following = (async () => {
      for await (const { envelope } of joined) heard.push(envelope.payload);
    })();
    await session.send('Award', { to: 'ann' });
    await following;
    expect(heard.slice(1)).toEqual([{ amount: 5, note: 'mit Segel €' }, { bytes: 'AP8=' }, { to: 'ann' }]);
    expect(session.state).toBe('RESOLVED');
    expect(await chair.getSession(session.sessionId)).toMatchObject({ state: 'RESOLVED' });
  });
});
