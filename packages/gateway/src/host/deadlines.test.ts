import { expect, it, onTestFinished, vi } from 'vitest';
import { createDeadlines } from './deadlines.js';

const HOUR = 3_600_000;

it('I-7: each key is due once and in order, however often its deadline was postponed', async () => {
  const due: string[] = [];
  let done = (): void => {};
  const allDue = new Promise<void>((resolve) => {
    done = resolve;
  });
  const deadlines = createDeadlines(Date.now, (key) => {
    if (due.push(key) === 3) done();
  });
  const start = Date.now();
  const keys = ['first', 'second', 'third'];
  for (let round = 1; round <= 5_000; round++) {
    for (const key of keys) deadlines.set(key, start + HOUR + round);
  }
  deadlines.set('never', start + 1);
  deadlines.set('never', undefined);
  for (const [index, key] of [...keys.entries()].reverse()) deadlines.set(key, start + 5 + index);
  await allDue;
  deadlines.stop();
  expect(due).toEqual(keys);
});

it('O-19, N-5: what is due when the clock jumps ahead does not wait for the old timer', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let now = 0;
  const due: string[] = [];
  const deadlines = createDeadlines(
    () => now,
    (key) => due.push(key),
  );
  deadlines.set('in an hour', HOUR);
  now = HOUR;
  vi.advanceTimersByTime(30_000);
  expect(due).toEqual(['in an hour']);
  deadlines.stop();
});
