import { expect, it } from 'vitest';
import { metInWords } from './limit-words.js';

it('I-7: limits of negotiations are described in words too', () => {
  expect(metInWords({ code: 'RATE_LIMITED', met: 3 })).toBe(
    '3 times someone sent too much in negotiations at once and had to wait',
  );
  expect(metInWords({ code: 'PAYLOAD_TOO_LARGE', met: 1 })).toBe(
    '1 time a message of a negotiation was too large',
  );
});
