import { describe, expect, it } from 'vitest';
import { showParams } from './show-params.js';

const call = (args: Record<string, string>) => ({ name: 'write', arguments: args });

describe('the part of a call that a notification shows', () => {
  it('is all of it, if it is short', () => {
    expect(showParams(call({ path: '/a', text: 'b\u200b' }), [])).toEqual({
      shown: [
        { name: 'path', text: '/a' },
        { name: 'text', text: 'b\\u{200b}' },
      ],
      isWhole: true,
    });
  });

  it.each([
    ['long', call({ text: 'x'.repeat(301) }), []],
    ['redacted', call({ text: 'x' }), ['text']],
    ['many', call(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a${n}`, 'x']))), []],
    ['outside the arguments', { ...call({}), mode: 'force' }, []],
  ])('is not all of it, if something is %s', (_, params, redacted) => {
    const { shown, isWhole } = showParams(params, redacted);
    expect(isWhole).toBe(false);
    expect(JSON.stringify(shown).length).toBeLessThan(1_000);
  });
});
