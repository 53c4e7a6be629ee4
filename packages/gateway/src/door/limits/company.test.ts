import { describe, expect, it } from 'vitest';
import { createCompany } from './company.js';

describe('company', () => {
  it('I-7: a single sender has none, however much it sends', () => {
    const { came, isShared } = createCompany(() => 0);
    for (let count = 0; count < 3; count++) came('agent');
    expect(isShared()).toBe(false);
  });

  it('I-7: two senders share until one has been idle for a second', () => {
    let now = 0;
    const { came, isShared } = createCompany(() => now);
    came('agent');
    came('reviewer');
    expect(isShared()).toBe(true);
    for (now = 0; now < 1_000; now += 100) came('reviewer');
    expect(isShared()).toBe(false);
    came('agent');
    expect(isShared()).toBe(true);
  });
});
