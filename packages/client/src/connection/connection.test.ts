import { GATEWAY } from '@proffer/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAddresses } from './addresses.js';
import { Connection } from './connection.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Gateways that accept us and hang up after a while, and the pauses after each loss. */
function startConnection(uptime: () => number) {
  const waits: number[] = [];
  const connection = new Connection({
    addresses: createAddresses('ws://a,ws://b'),
    destination: { space: 'main' },
    token: 't',
    retry: { delay: 1_000, maxDelay: 8_000 },
    openSocket: (_, events) => {
      const welcome = { id: 'w', kind: 'system.welcome', from: GATEWAY, payload: {} };
      setTimeout(() => events.onText(JSON.stringify({ protocol: 'mew/v0.4', ts: new Date(0), ...welcome })));
      setTimeout(() => events.onClose({ code: 1001 }), uptime());
      return { send() {}, close() {} };
    },
    after: () => undefined,
    onWelcome: () => {},
    onMessage: () => {},
    onLost: (_, retryIn) => waits.push(retryIn),
    onOver: () => {},
  });
  return { connection, waits };
}

it('gateways that accept us and drop us at once are not asked without a pause', async () => {
  const { connection, waits } = startConnection(() => 10);
  await vi.advanceTimersByTimeAsync(60_000);
  // A pause after each round, longer each time.
  expect(waits.slice(0, 6).map((wait) => wait > 0)).toEqual([false, true, false, true, false, true]);
  expect(waits[5]).toBeGreaterThanOrEqual(2_000);
  expect(waits.length).toBeLessThan(40);
  void connection.close();
});

it('after a connection that was up for a while, the next gateway is tried at once', async () => {
  const uptimes = [10, 10, 10, 10_000, 10_000];
  const { connection, waits } = startConnection(() => uptimes.shift() ?? 10_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(waits.slice(0, 6).map((wait) => wait > 0)).toEqual([false, true, false, false, false, false]);
  void connection.close();
});
