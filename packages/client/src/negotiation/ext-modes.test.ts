import { type ModeDescriptor, servedModes } from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { startRelay } from '../testing/relay.js';
import { participant, WAYS } from './testing/ways.js';

const DESCRIPTOR = { ...(servedModes()[0] as ModeDescriptor), mode: 'ext.auction.v1', title: 'Auction' };

const [grpc, ...others] = [...WAYS].sort((left) => (left.name === 'gRPC' ? -1 : 1));
if (grpc === undefined) throw new Error('There is no gRPC.');

describe('extension modes over gRPC', () => {
  it('are registered, renamed and unregistered, and watchers are notified each time', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(grpc, grpc.port(gateway), 'ann');
    const steps = [
      () => client.registerExtMode(DESCRIPTOR),
      () => client.promoteMode('ext.auction.v1', 'ext.auction.v2'),
      () => client.unregisterExtMode('ext.auction.v2'),
    ];
    const seen: string[] = [];
    for await (const { observedAt } of client.watchModeRegistry()) {
      expect(observedAt).toBeGreaterThan(0);
      seen.push((await client.listExtModes()).map(({ mode, title }) => `${mode} ${title}`).join());
      const step = steps.shift();
      if (step === undefined) break;
      await step();
    }
    expect(seen).toEqual(['', 'ext.auction.v1 Auction', 'ext.auction.v2 Auction', '']);
    await expect(client.unregisterExtMode('ext.auction.v2')).rejects.toMatchObject({
      code: 'MODE_NOT_SUPPORTED',
    });
    await expect(client.promoteMode('ext.auction.v2', 'ext.auction.v3')).rejects.toMatchObject({
      code: 'MODE_NOT_SUPPORTED',
    });
  });

  it('I-2: a change whose answer was lost is found to be done', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(grpc.port(gateway));
    await using client = participant(grpc, relay.port, 'ann');
    await using witness = participant(grpc, grpc.port(gateway), 'ann');
    await client.registerExtMode(DESCRIPTOR);
    const namesOnceChanged = async (): Promise<readonly string[]> => {
      const before = JSON.stringify(await witness.listExtModes());
      for await (const _ of witness.watchModeRegistry()) {
        const modes = await witness.listExtModes();
        if (JSON.stringify(modes) !== before) return modes.map(({ mode }) => mode);
      }
      return [];
    };
    const renamed = namesOnceChanged();
    relay.muteGateway();
    const promoted = client.promoteMode('ext.auction.v1', 'ext.auction.v2');
    expect(await renamed).toEqual(['ext.auction.v2']);
    relay.cut();
    expect(await promoted).toBe('ext.auction.v2');
    const emptied = namesOnceChanged();
    relay.muteGateway();
    const removed = client.unregisterExtMode('ext.auction.v2');
    expect(await emptied).toEqual([]);
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

it.each(others)('are refused as unsupported over $name, at once', async (way) => {
  await using gateway = await startTestGateway();
  await using client = participant(way, way.port(gateway), 'ann');
  const calls = [
    client.listExtModes(),
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
