import { expect, it, onTestFinished, vi } from 'vitest';
import { createRateLimiter } from '../door/index.js';
import { createSharedRates, type SharedRates } from './shared-rates.js';

it('I-7: a limit holds across all gateways together, within a tenth', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let now = 0;
  const gateways: SharedRates[] = [];
  const limiters = Array.from({ length: 3 }, (_, index) => {
    const rates = createSharedRates(
      (limit, spent) => {
        for (const [other, one] of gateways.entries()) if (other !== index) one.hear(limit, spent);
      },
      () => now,
    );
    gateways.push(rates);
    return rates.share('messages', createRateLimiter({ count: 100, period: 1_000 }));
  });
  let taken = 0;
  for (; now < 10_000; now += 10) {
    for (const { take } of limiters) for (let count = 0; count < 4; count++) if (!take('agent', now)) taken++;
    // Usage is reported after a moment.
    vi.advanceTimersByTime(10);
  }
  const allowed = 100 + 10 * 100;
  expect(taken).toBeGreaterThan(allowed * 0.9);
  expect(taken).toBeLessThan(allowed * 1.1);
  for (const rates of gateways) rates.stop();
});
