import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MacpError } from './macp-error.js';
import { keepWatching } from './watch.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Reads for a minute from gateways whose streams break some time after their first value; counts the
 * streams.
 */
async function streamsInAMinute(uptime: number): Promise<number> {
  const ends = new AbortController();
  let opened = 0;
  const watch = keepWatching(
    { token: 't', retry: { delay: 1_000, maxDelay: 8_000 }, addresses: 2 },
    { signal: ends.signal },
    async function* () {
      opened++;
      yield opened;
      await new Promise((resolve) => setTimeout(resolve, uptime));
      throw new MacpError('UNAVAILABLE', 'gone');
    },
  );
  const reading = (async () => {
    for await (const _ of watch);
  })();
  await vi.advanceTimersByTimeAsync(60_000);
  ends.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  await reading;
  return opened;
}

it('streams that break after their first value are not reopened without a pause', async () => {
  expect(await streamsInAMinute(10)).toBeLessThan(40);
});

it('a stream that was up for a while is reopened at once', async () => {
  expect(await streamsInAMinute(5_500)).toBe(11);
});
