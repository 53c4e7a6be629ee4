import { describe, expect, it } from 'vitest';
import { createPace } from './pace.js';
import { createTestClock } from './testing/test-clock.js';

describe('pace', () => {
  it('permits a burst, then one at a time, and never stores more than the burst', () => {
    const clock = createTestClock();
    const pace = createPace({ clock, burst: 2, every: 1_000 });
    const happens = (): boolean => {
      if (pace.wait() > 0) return false;
      pace.take();
      return true;
    };
    expect([happens(), happens(), happens()]).toEqual([true, true, false]);
    clock.pass(400);
    expect(pace.wait()).toBe(600);
    clock.pass(600);
    expect([happens(), happens()]).toEqual([true, false]);
    clock.pass(60_000);
    expect([happens(), happens(), happens()]).toEqual([true, true, false]);
  });
});
