import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import type { ChannelEvents, JsonRpcChannel } from '../channel/channel.js';
import { createStartupProxy, passOn } from './startup-proxy.js';

/** A scripted peer that records what it is sent. */
function peer() {
  const got: JsonObject[] = [];
  let events: ChannelEvents | undefined;
  const channel: JsonRpcChannel = {
    async open(given) {
      events = given;
    },
    send: (message) => got.push(message) > 0,
    pause: () => {},
    resume: () => {},
    close: async () => {},
  };
  return {
    channel,
    got,
    says: (message: JsonObject) => events?.onMessage({ jsonrpc: '2.0', ...message }),
    leaves: () => events?.onClose(),
  };
}

function setUp() {
  const [client, server] = [peer(), peer()];
  return { client, server, proxy: createStartupProxy(client.channel, server.channel) };
}

/** Opens both sides like a guard, and passes everything on. */
async function takeOver({ front, back }: ReturnType<typeof createStartupProxy>) {
  const seen: unknown[] = [];
  const on = (side: string, other: JsonRpcChannel): ChannelEvents => ({
    onMessage(message) {
      seen.push([side, message['method'] ?? message['id']]);
      other.send(message);
    },
    onUnanswered: () => {},
    onClose: () => void seen.push([side, 'closed']),
    onDrain: () => {},
  });
  await back.open(on('server', front));
  await front.open(on('client', back));
  return seen;
}

const CALL = { id: 3, method: 'tools/call', params: { name: 'write', arguments: {} } };

describe('client of a starting guard', () => {
  it('completes handshake and lists; what needs a decision waits, and reaches the guard in order', async () => {
    const { client, server, proxy } = setUp();
    client.says({ id: 1, method: 'initialize', params: {} });
    server.says({ id: 1, result: { serverInfo: { name: 'notes' } } });
    client.says({ method: 'notifications/initialized' });
    client.says(CALL);
    client.says({ id: 4, method: 'resources/read', params: { uri: 'x' } });
    client.says({ method: 'notifications/cancelled', params: { requestId: 3 } });
    client.says({ id: 2, method: 'tools/list' });
    server.says({ id: 2, result: { tools: [{ name: 'write' }] } });
    expect(await proxy.wanted).toBe(true);
    expect(server.got.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(client.got).toMatchObject([
      { id: 1, result: { serverInfo: { name: 'notes' } } },
      { id: 2, result: { tools: [{ name: 'write' }, { name: 'proffer_wait' }, { name: 'proffer_accept' }] } },
    ]);
    const seen = await takeOver(proxy);
    expect(seen).toEqual([
      ['client', 'initialize'],
      ['server', 1],
      ['client', 'notifications/initialized'],
      ['client', 'tools/call'],
      ['client', 'resources/read'],
      ['client', 'notifications/cancelled'],
      ['client', 'tools/list'],
      ['server', 2],
    ]);
    // Nothing is sent twice, to either side.
    expect(client.got).toHaveLength(2);
    expect(server.got.slice(3).map(({ method }) => method)).toEqual([
      'tools/call',
      'resources/read',
      'notifications/cancelled',
    ]);
    // An id may be reused.
    client.says({ id: 2, method: 'tools/list' });
    server.says({ id: 2, result: { tools: [] } });
    expect([client.got.length, server.got.length]).toEqual([3, 7]);
  });

  it('may not use the id of an open request, nor send one that a guard would refuse', async () => {
    const { client, server } = setUp();
    client.says(CALL);
    client.says({ id: 3, method: 'tools/list' });
    client.says({ id: 'x'.repeat(2000), method: 'tools/list' });
    client.says({ id: 5, method: 'Tools/List' });
    expect(server.got).toEqual([]);
    // A server cannot answer what it was not asked.
    server.says({ id: 3, result: { content: [] } });
    expect(client.got).toEqual([]);
  });

  it('is told why nothing runs if there will be no guard, and keeps what needs none', async () => {
    const { client, server, proxy } = setUp();
    client.says(CALL);
    expect(proxy.isServing).toBe(true);
    const over = proxy.fail('Nothing was run: the disk is full.');
    const error = { message: 'Nothing was run: the disk is full.' };
    expect(client.got).toMatchObject([{ id: 3, error }]);
    client.says({ ...CALL, id: 4 });
    expect(client.got).toMatchObject([{ id: 3 }, { id: 4, error }]);
    client.says({ id: 5, method: 'ping' });
    expect(server.got).toMatchObject([{ id: 5, method: 'ping' }]);
    client.leaves();
    await over;
  });

  it('needs no guard if it only asks what the server can do and leaves', async () => {
    const { client, server, proxy } = setUp();
    client.says({ id: 1, method: 'server/discover' });
    server.says({ id: 1, error: { code: -32_601, message: 'no such method' } });
    expect(client.got).toMatchObject([{ id: 1, error: { code: -32_601 } }]);
    client.leaves();
    expect(await proxy.wanted).toBe(false);
  });

  it('needs one if it stays after that, or sends nothing at all', async () => {
    const probing = setUp();
    probing.client.says({ id: 1, method: 'server/discover' });
    probing.server.says({ id: 1, result: { capabilities: {} } });
    expect(probing.client.got).toMatchObject([{ result: { capabilities: { extensions: {} } } }]);
    probing.client.says({ id: 2, method: 'initialize' });
    expect(await probing.proxy.wanted).toBe(true);
    const silent = setUp();
    silent.client.leaves();
    expect(await silent.proxy.wanted).toBe(true);
    expect(await takeOver(silent.proxy)).toEqual([['client', 'closed']]);
  });
});

it('O-50: without a guard that only watches, everything passes once, as without it', async () => {
  const { client, server, proxy } = setUp();
  client.says({ id: 1, method: 'initialize', params: {} });
  server.says({ id: 1, result: { serverInfo: { name: 'notes' } } });
  client.says(CALL);
  expect(await proxy.wanted).toBe(true);
  const over = passOn(proxy);
  await expect.poll(() => server.got.map(({ method }) => method)).toEqual(['initialize', 'tools/call']);
  server.says({ id: 3, result: { content: [] } });
  client.says({ id: 5, method: 'tools/call', params: { name: 'read', arguments: {} } });
  server.says({ id: 5, result: { content: [] } });
  await expect.poll(() => client.got.map(({ id }) => id)).toEqual([1, 3, 5]);
  expect(server.got).toHaveLength(3);
  client.leaves();
  await over;
});
