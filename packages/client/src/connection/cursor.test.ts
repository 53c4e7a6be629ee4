import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cursor } from './cursor.js';

describe('the cursor', () => {
  it('I-6: an early message hides nothing before it, and is not new again', () => {
    const cursor = new Cursor(10);
    expect(cursor.take(14, { outOfOrder: true })).toBe(true);
    expect(cursor.seq).toBe(10);
    expect([11, 12, 13, 14, 15].map((seq) => cursor.take(seq))).toEqual([true, true, true, false, true]);
    expect(cursor.seq).toBe(15);
  });

  it('I-6: a seen message is not new when it is repeated out of order', () => {
    const cursor = new Cursor(10);
    cursor.take(11);
    expect(cursor.take(11, { outOfOrder: true })).toBe(false);
    expect(cursor.take(13, { outOfOrder: true })).toBe(true);
    expect(cursor.take(13, { outOfOrder: true })).toBe(false);
  });

  it('I-6: each message is new once, whatever is answered again in between', () => {
    const runs = 200 * (process.env['PROFFER_LONG'] === undefined ? 1 : 50);
    const history = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(
        history,
        fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 10 }),
        (length, repeats) => {
          const cursor = new Cursor(0);
          const told: number[] = [];
          const take = (seq: number, outOfOrder: boolean): void => {
            if (cursor.take(seq, { outOfOrder })) told.push(seq);
          };
          for (let seq = 1; seq <= length; seq++) {
            for (const [when, which] of repeats)
              if (when === seq && which > 0 && which <= length) take(which, true);
            take(seq, false);
          }
          expect(told.sort((one, other) => one - other)).toEqual(
            Array.from({ length }, (_, index) => index + 1),
          );
          expect(cursor.seq).toBe(length);
        },
      ),
      { numRuns: runs },
    );
  });
});
