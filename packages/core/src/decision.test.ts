import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from './decision.js';
import { runs } from './testing/runs.js';

const decider = {
  initial: '' as string,
  evolve: (state: string, record: number) => `${state}(${record})`,
};

describe('replay', () => {
  it('I-3: folds the records in order over the initial state', () => {
    expect(replay(decider, [1, 2, 3])).toBe('(1)(2)(3)');
    expect(replay(decider, [])).toBe('');
  });

  it('I-3: reaches the same state in two parts as in one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.nat(20), (records, cut) => {
        const between = replay(decider, records.slice(0, cut));
        expect(replay(decider, records.slice(cut), between)).toBe(replay(decider, records));
      }),
      runs(100),
    );
  });

  it('I-3: reads records one at a time, from any iterable', () => {
    const read: number[] = [];
    function* journal() {
      for (const record of [1, 2]) {
        read.push(record);
        yield record;
      }
    }
    expect(replay(decider, journal())).toBe('(1)(2)');
    expect(read).toEqual([1, 2]);
  });
});
