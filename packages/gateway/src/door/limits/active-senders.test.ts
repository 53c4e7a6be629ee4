import { describe, expect, it } from 'vitest';
import { createActiveSenders } from './active-senders.js';

describe('active senders', () => {
  it('I-7: a single sender has none, however much it sends', () => {
    const { noteSender, isShared } = createActiveSenders(() => 0);
    for (let count = 0; count < 3; count++) noteSender('agent');
    expect(isShared()).toBe(false);
  });

  it('I-7: two senders share until one has been idle for a second', () => {
    let now = 0;
    const { noteSender, isShared } = createActiveSenders(() => now);
    noteSender('agent');
    noteSender('reviewer');
    expect(isShared()).toBe(true);
    for (now = 0; now < 1_000; now += 100) noteSender('reviewer');
    expect(isShared()).toBe(false);
    noteSender('agent');
    expect(isShared()).toBe(true);
  });
});
