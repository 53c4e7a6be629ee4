import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBadMessageCounter, createBadMessageCounters } from './bad-messages.js';
import { createRateLimiter } from './rate-limiter.js';

const RUNS = { numRuns: process.env['PROFFER_LONG'] === undefined ? 200 : 4000 };

describe('rate', () => {
  it('allows its number at once, then as fast as it refills', () => {
    const { take } = createRateLimiter({ count: 3, period: 3000 });
    for (let index = 0; index < 3; index++) expect(take('agent', 0)).toBeUndefined();
    expect(take('agent', 0)).toMatchObject({
      code: 'rate_limited',
      details: { limit: 3, period_ms: 3000, retry_after_ms: 1000 },
    });
    expect(take('agent', 999)?.details).toMatchObject({ retry_after_ms: 1 });
    expect(take('agent', 1000)).toBeUndefined();
    expect(take('agent', 1000)?.code).toBe('rate_limited');
  });

  it('N-3: is refused in the words of MACP for MACP clients', () => {
    const { take } = createRateLimiter({ count: 1, period: 60_000 }, 'RATE_LIMITED');
    take('a', 0);
    expect(take('a', 0)).toMatchObject({ code: 'RATE_LIMITED', details: { retry_after_ms: 60_000 } });
  });

  it('of one participant is not used up by another', () => {
    const { take } = createRateLimiter({ count: 1, period: 1000 });
    expect(take('loud', 0)).toBeUndefined();
    expect(take('loud', 0)).toBeDefined();
    expect(take('quiet', 0)).toBeUndefined();
    for (const name of ['__proto__', 'constructor']) expect(take(name, 0)).toBeUndefined();
  });

  it('is not reduced by a refusal', () => {
    const { take } = createRateLimiter({ count: 2, period: 2000 });
    take('a', 0, 2);
    for (let time = 0; time < 1000; time += 10) expect(take('a', time)).toBeDefined();
    expect(take('a', 1000)).toBeUndefined();
  });

  it('a message that counts as many takes as many, and can always be sent once the rate is idle', () => {
    const { take } = createRateLimiter({ count: 10, period: 1000 });
    expect(take('a', 0, 8)).toBeUndefined();
    expect(take('a', 0, 3)?.details).toMatchObject({ retry_after_ms: 100 });
    expect(take('a', 10_000, 1000)).toBeUndefined();
    expect(take('a', 10_000)).toBeDefined();
  });

  it('a clock that goes back gives nothing away and locks nobody out', () => {
    const { take } = createRateLimiter({ count: 1, period: 1000 });
    expect(take('a', 5000)).toBeUndefined();
    expect(take('a', 0)?.details).toMatchObject({ retry_after_ms: 1000 });
    expect(take('a', 1000)).toBeUndefined();
  });

  it('I-7: forgets idle participants', () => {
    const { take, size } = createRateLimiter({ count: 5, period: 1000 });
    for (let index = 0; index < 1000; index++) take(`early-${index}`, 0);
    expect(size()).toBe(1000);
    for (let index = 0; index < 1000; index++) take('busy', 2000 + index);
    expect(size()).toBe(1);
    for (let index = 0; index < 100_000; index++) take(`passing-${index}`, 10_000 + index * 10);
    expect(size()).toBeLessThanOrEqual(101);
  });

  it('never exceeds the limit at any times, and waiting as told is enough', () => {
    const steps = fc.array(fc.record({ wait: fc.nat(400), key: fc.constantFrom('a', 'b', 'c') }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), steps, (count, taken) => {
        const period = 1000;
        const { take } = createRateLimiter({ count, period });
        const passed = new Map<string, number[]>();
        let now = 0;
        for (const { wait, key } of taken) {
          now += wait;
          const refusal = take(key, now);
          const times = passed.get(key) ?? [];
          passed.set(key, times);
          if (refusal === undefined) times.push(now);
          else {
            now += Number(refusal.details['retry_after_ms']);
            expect(take(key, now)).toBeUndefined();
            times.push(now);
          }
        }
        for (const times of passed.values()) {
          for (const [index, start] of times.entries()) {
            for (let end = index; end < times.length; end++) {
              const allowed = count + (((times[end] ?? 0) - start) * count) / period;
              expect(end - index + 1).toBeLessThanOrEqual(allowed + 1e-6);
            }
          }
        }
      }),
      RUNS,
    );
  });
});

describe('bad messages', () => {
  it('O-5: are tolerated up to a limit', () => {
    const count = createBadMessageCounter({ count: 3, period: 60_000 });
    for (let index = 0; index < 3; index++) expect(count(0)).toBeUndefined();
    expect(count(0)).toMatchObject({
      code: 'too_many_bad_messages',
      details: { limit: 3, period_ms: 60_000 },
    });
  });

  it('O-5: are tolerated if occasional', () => {
    const count = createBadMessageCounter({ count: 3, period: 60_000 });
    for (let minute = 0; minute < 1000; minute++) expect(count(minute * 60_000)).toBeUndefined();
  });

  it('I-7: a client that reconnects before the limit does not get many more across its connections', () => {
    const counterOf = createBadMessageCounters({ count: 3, period: 60_000 });
    for (let connection = 0; connection < 8; connection++) {
      const count = counterOf('vandal');
      for (let index = 0; index < 3; index++) expect(count(0)).toBeUndefined();
    }
    expect(counterOf('vandal')(0)).toMatchObject({ code: 'too_many_bad_messages', details: { limit: 24 } });
    expect(counterOf('agent')(0)).toBeUndefined();
    expect(counterOf('vandal')(60_000)).toBeUndefined();
  });

  it('O-5: one connection of a participant has no more than any other', () => {
    const count = createBadMessageCounters({ count: 3, period: 60_000 })('agent');
    for (let index = 0; index < 3; index++) expect(count(0)).toBeUndefined();
    expect(count(0)).toMatchObject({ details: { limit: 3 } });
  });
});
