import { describe, expect, it } from 'vitest';
import { showParams } from './show-params.js';

const call = (args: Record<string, string>) => ({ name: 'write', arguments: args });

describe('the part of a call that a notification shows', () => {
  it('is all of it, if it is short', () => {
    expect(showParams(call({ path: '/a', text: 'b\u200b' }), {})).toEqual({
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
    ['a secret by its name', call({ apiKey: 'hunter2' }), []],
    ['a secret by what it looks like', call({ text: `see ghp_${'a1B2'.repeat(9)}` }), []],
    ['many', call(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a${n}`, 'x']))), []],
    ['outside the arguments', { ...call({}), mode: 'force' }, []],
  ])('is not all of it, if something is %s', (_, params, redacted) => {
    const { shown, isWhole } = showParams(params, { paths: redacted });
    expect(isWhole).toBe(false);
    expect(JSON.stringify(shown).length).toBeLessThan(1_000);
  });
});
