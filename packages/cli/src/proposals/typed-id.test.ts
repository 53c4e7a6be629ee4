import { describe, expect, it } from 'vitest';
import { meaningsOf, readTypedId } from './find-proposal.js';

const REAL = '93bfb062-1d8e-4c55-a7f4-0b9d7a6f1c22';
const FAKE = '93bfb062-1d8e';
const means = (typed: string, ...ids: readonly string[]) => meaningsOf(readTypedId(typed), ids);

describe('typed id', () => {
  it('is ambiguous if it is one id and a prefix of another that tables shorten', () => {
    expect(means(FAKE, REAL, FAKE)).toEqual([REAL, FAKE]);
    expect(means(`${FAKE}…`, REAL, FAKE, `${FAKE}…`)).toEqual([REAL, FAKE, `${FAKE}…`]);
    expect(means(REAL, REAL, FAKE)).toEqual([REAL]);
  });

  it('means itself next to longer ones that tables show whole, and otherwise all with that prefix', () => {
    expect(means('p1', 'p1', 'p10', 'p11')).toEqual(['p1']);
    expect(means('p', 'p1', 'p10', 'q')).toEqual(['p1', 'p10']);
    expect(means('p1…', 'p1', 'p10')).toEqual(['p1', 'p10']);
    expect(means('x', 'p1')).toEqual([]);
  });
});
