import { describe, expect, it } from 'vitest';
import { FrameCount } from './frame-count.js';

describe('stream frames from other gateways', () => {
  it('O-27: are missed when a later one arrives first, and too late after it', () => {
    const count = new FrameCount();
    expect([1, 2, 4, 3, 5].map((number) => count.hear('g1', number))).toEqual([
      'next',
      'next',
      'missed',
      'late',
      'next',
    ]);
    expect(count.hear('g2', 9)).toBe('next');
  });

  it('O-27: are missed when their gateway has sent more than arrived', () => {
    const count = new FrameCount();
    expect(count.reached('g1', 0)).toBe(false);
    count.hear('g1', 1);
    expect(count.reached('g1', 1)).toBe(false);
    expect(count.reached('g1', 2)).toBe(true);
    expect(count.hear('g1', 3)).toBe('next');
  });

  it('O-27: are not missed before the stream was opened here, and are dropped if later ones arrived first', () => {
    const count = new FrameCount();
    expect(count.hear('g1', 7)).toBe('next');
    count.open();
    expect([6, 9, 10].map((number) => count.hear('g1', number))).toEqual(['late', 'next', 'next']);
  });
});
