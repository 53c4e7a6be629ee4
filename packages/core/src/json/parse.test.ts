import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../refusal/refusal.js';
import { runs } from '../testing/runs.js';
import { canonicalJson } from './canonical.js';
import { DEFAULT_JSON_LIMITS } from './json.js';
import { parseJson } from './parse.js';

function refusalOf(text: string, limits = DEFAULT_JSON_LIMITS): Refusal | undefined {
  const parsed = parseJson(text, limits);
  return parsed.ok ? undefined : parsed.refusal;
}

/** Doubles beyond 2^53, in their written form. */
const wholeDouble = fc
  .double({ min: 2 ** 53, max: 1e20, noNaN: true })
  .map((value) => canonicalJson(Math.floor(value)));

/** An integer with its exponent written out. */
function exactly(written: string): string {
  const [significant = '', exponent = '0'] = written.split('e');
  const [whole = '', fraction = ''] = significant.split('.');
  return whole + fraction.padEnd(Number(exponent), '0');
}

describe('parsing JSON from a peer', () => {
  it('O-5: reads back whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(text.isWellFormed() && !/\\u[dD]/.test(text) && !text.includes('"__proto__"'));
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
      }),
      runs(500),
    );
  });

  it.each([
    ['', 0],
    ['{', 1],
    ['{"a":1', 6],
    ['"abc', 4],
    ['nul', 3],
    ['abc', 0],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['{} {}', 3],
    ['01', 1],
    ['+1', 0],
    ['.5', 0],
    ['1.', 2],
    ['-x', 1],
    ['1e', 2],
    ['NaN', 0],
    ['"a\nb"', 2],
    ['"\\x"', 2],
    ['"\\u12g4"', 5],
    ['\ufeff{}', 0],
    ['{"a":1}//', 7],
    // Text that imitates an engine's message about a position must not be believed.
    ['at position 7', 0],
  ])('O-5: %j is not JSON, from character %d on', (text, position) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ code: 'invalid_json', details: { position } });
    const where = position === text.length ? 'unexpected end of input' : `at character ${position + 1}.`;
    expect(refusal?.message).toContain(where);
  });

  it.each([
    ['arrays', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
    ['an unfinished text', (depth: number) => '['.repeat(depth)],
  ])('O-5: %s deeper than allowed are refused before anything is built', (_, nest) => {
    expect(refusalOf(nest(64))?.code).not.toBe('too_deep');
    expect(refusalOf(nest(65))).toMatchObject({
      code: 'too_deep',
      details: { found: 65, expected: 'at most 64 levels' },
    });
    expect(refusalOf(nest(100_000))).toMatchObject({ code: 'too_deep', details: { found: 100_000 } });
  });

  it('O-5: brackets inside strings do not count as depth', () => {
    expect(refusalOf(JSON.stringify(['['.repeat(1000), '\\"[{'.repeat(100), '\\']))).toBeUndefined();
  });

  it.each([
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
  ])('O-5: size is counted in bytes: %s has %d', (character, bytes) => {
    const text = JSON.stringify(character.repeat(100));
    const size = 100 * bytes + 2;
    expect(refusalOf(text, { maxBytes: size, maxDepth: 64 })).toBeUndefined();
    expect(refusalOf(text, { maxBytes: size - 1, maxDepth: 64 })).toMatchObject({
      code: 'too_large',
      details: { found: size, expected: `at most ${size - 1} bytes` },
    });
  });

  it('O-5: ten megabytes are refused by default, and only because of the limit', () => {
    const text = JSON.stringify('x'.repeat(10_000_000));
    expect(refusalOf(text)).toMatchObject({ code: 'too_large', details: { found: 10_000_002 } });
    expect(refusalOf(text, { maxBytes: 20_000_000, maxDepth: 1 })).toBeUndefined();
  });

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"":1,"":1}', '[""]'],
    ['[{"x":{"b":1,"c":{"b":1},"b":3}}]', 'b'],
    ['{"a:b":1,"a":{"a:b":":"},"a:b":2}', '["a:b"]'],
    ['{"\\"":1,"\\u0022":2}', '["\\""]'],
    ['{"toString":1,"toString":1}', 'toString'],
    ['{"a":{"\\\\":1,"b":[{"c":1}],"\\u005c":2}}', '["\\\\"]'],
  ])('O-5: a duplicate key is refused: %s', (text, field) => {
    expect(refusalOf(text)).toMatchObject({ code: 'duplicate_key', details: { field } });
  });

  it('O-5: the same key in different objects is not a duplicate', () => {
    expect(refusalOf('[{"a":{"a":"a:a"}},{"a":1}]')).toBeUndefined();
  });

  it.each(['{"__proto__":{"admin":true}}', '{"a":[{"__proto__":1}]}', '{"\\u005f_proto__":1}'])(
    'O-5: %s is refused and pollutes nothing',
    (text) => {
      expect(refusalOf(text)).toMatchObject({ code: 'forbidden_key' });
      expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
    },
  );

  it.each([
    ['{"a":["x","\\ud800"]}', 'a[1]'],
    ['"\\udc00\\ud800"', ''],
    ['{"\\ud800":1}', '["\\ud800"]'],
    ['"\ud800"', ''],
  ])('O-5: a lone surrogate is refused: %j', (text, field) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ code: 'invalid_field', details: { field } });
    expect(JSON.stringify(refusal).isWellFormed()).toBe(true);
  });

  it.each(['1e400', '-1e400'])('O-5: %s overflows and is refused', (number) => {
    expect(refusalOf(`{"a":[${number}]}`)).toMatchObject({
      code: 'invalid_field',
      details: {
        field: 'a[0]',
        found: number.startsWith('-') ? '-Infinity' : 'Infinity',
        expected: 'a finite number',
      },
    });
  });

  it.each([
    ['{"account":9007199254740993}', 'account', '9007199254740993'],
    ['{"a":[0,{"b c":[1,-9007199254740993]}]}', 'a[1]["b c"][1]', '-9007199254740993'],
    ['{"x":{"y":[1,2]},"\\u0061":[{"n":1},{"n":12345678901234567891}]}', 'a[1].n', '12345678901234567891'],
    ['[9007199254740992,9007199254740993]', '[1]', '9007199254740993'],
    ['{"b":true,"a":9223372036854775807}', 'a', '9223372036854775807'],
    // A double represents this one, but is written as 1152921504606847000.
    ['1152921504606846976', '', '1152921504606846976'],
    ['1000000000000000000001', '', '1000000000000000000001'],
    [`[${'7'.repeat(300)}]`, '[0]', `${'7'.repeat(60)}… (300 characters)`],
  ])('O-5, O-25: %s has an integer that would change, and is refused', (text, field, found) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({
      code: 'invalid_field',
      details: { field, found, expected: 'a string of these digits' },
    });
    expect(refusal?.message).toContain(found);
    expect(refusal?.message).toContain('Send it as a string');
  });

  it.each([
    '9007199254740991',
    '-9007199254740991',
    '9007199254740992',
    '9007199254740994',
    '1152921504606847000',
    '100000000000000000000',
    '1000000000000000000000',
    '123456789012345690000000',
    `1${'0'.repeat(300)}`,
    '1e21',
    '1E+21',
    '9007199254740993e0',
    '9007199254740993.0',
    '0.12345678901234567890123',
    '-0.30000000000000000001',
    '1e0000000000000000000007',
    '1E-0000000000000000000007',
    '1e-99999999999999999999',
    '0E99999999999999999999',
    '"9007199254740993"',
    '{"9007199254740993":"12345678901234567890"}',
  ])('O-5, O-25: %s means the same to every parser, and is accepted', (text) => {
    expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
    expect(refusalOf(`[true,${text},${text}]`)).toBeUndefined();
  });

  it('I-3, O-25: an integer is refused exactly if it would be written back as a different number', () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{13,24}0{0,3}$/);
    const integer = fc.oneof(digits, fc.bigInt({ min: 2n ** 52n, max: 2n ** 56n }).map(String), wholeDouble);
    fc.assert(
      fc.property(integer, (text) => {
        const written = BigInt(exactly(canonicalJson(Number(text))));
        expect(refusalOf(text) === undefined).toBe(written === BigInt(text));
      }),
      runs(2000),
    );
  });

  it.each([
    ['a duplicate key', (key: string) => `{${key}:1,${key}:2}`],
    ['a number that overflows', (key: string) => `{${key}:1e999}`],
    ['a forbidden key', (key: string) => `{${key}:{"__proto__":1}}`],
  ])('O-5: the refusal for %s is short and hides nothing, whatever the key', (_, write) => {
    for (const key of ['k'.repeat(100_000), '\u202e\u200b'.repeat(10), '\n'.repeat(50_000)]) {
      const refusal = refusalOf(write(JSON.stringify(key)));
      expect(refusal?.message.length).toBeLessThan(600);
      expect(JSON.stringify(refusal?.details).length).toBeLessThan(600);
      expect(refusal?.message).not.toMatch(/[\u202e\u200b\n]/);
    }
  });

  it('O-5: no text makes it throw', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '1',
      'e',
      'a',
      ' ',
      '\ud800',
      'null',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const parsed = parseJson(text);
        const sound = parsed.ok
          ? isDeepStrictEqual(parsed.value, JSON.parse(text))
          : parsed.refusal.message.endsWith('.');
        expect(sound).toBe(true);
      }),
      runs(2000),
    );
  });
});
