import { expect, it } from 'vitest';
import { afterEnd } from './after-end.js';

it('O-23: claims that nothing ran only if nothing had started', () => {
  expect(afterEnd(0)).toBe('Calls that waited for a decision were withdrawn and did not run.');
  expect(afterEnd(1)).toContain('1 call had started: nobody knows whether it ran.');
  expect(afterEnd(2)).toContain('2 calls had started: nobody knows whether they ran.');
});
