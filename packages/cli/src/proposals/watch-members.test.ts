import { connect } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import { expect, it, vi } from 'vitest';
import { watchMembers } from './watch-members.js';

it('O-27: keeps the members known while the gateway is away, and refreshes them when it is back', async () => {
  const first = await startOnLoopback();
  const url = `http://127.0.0.1:${first.port}`;
  const tools = await connect({ url, space: 'main', token: 'tools', retry: { delay: 50, maxDelay: 100 } });
  await tools.serve([{ name: 'echo', handler: () => '' }]);
  const endpoint = { url, space: 'main', token: 'reviewer', assumed: false, given: {} };
  await using watch = watchMembers(endpoint);
  const names = () => watch.members()?.map(({ id }) => id);
  await vi.waitUntil(() => names()?.includes('tools'), 20_000);
  await tools.close();
  await vi.waitUntil(() => names()?.join() === 'reviewer', 20_000);
  await first.gateway.close();
  expect(names()).toEqual(['reviewer']);
  await using second = await startOnLoopback('dev: true', { port: first.port });
  expect(second.port).toBe(first.port);
  await using helper = await connect({ url, space: 'main', token: 'helper' });
  await vi.waitUntil(() => names()?.includes(helper.name), 20_000);
});

it('learns the members as soon as there is a gateway, even if there was none at first', async () => {
  const before = await startOnLoopback();
  await before.gateway.close();
  const url = `http://127.0.0.1:${before.port}`;
  const endpoint = { url, space: 'main', token: 'reviewer', assumed: false, given: {} };
  await using watch = watchMembers(endpoint);
  await using gateway = await startOnLoopback('dev: true', { port: before.port });
  await vi.waitUntil(() => watch.members() !== undefined, 20_000);
  expect(gateway.port).toBe(before.port);
});
