import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { makeVisible } from '../text/index.js';
import { describe as describeFound, quote } from './describe.js';
import { formatPath } from './json.js';

describe('describing what was found', () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [true, 'true'],
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
    [12n, '12n'],
    ['text', '"text"'],
    ['', '""'],
    [[1, 2], 'an array of 2'],
    [{ a: 1 }, 'an object'],
    [() => 1, 'a function'],
    [Symbol('s'), 'a symbol'],
  ])('O-5: %s is called %s', (value, text) => {
    expect(describeFound(value)).toBe(text);
  });

  it('O-5: long text is shortened, with its length', () => {
    expect(describeFound('x'.repeat(1_000_000))).toBe(`"${'x'.repeat(60)}… (1000000 characters)"`);
    expect(describeFound(10n ** 1000n)).toMatch(/^10{59}… \(1001 characters\)n$/);
  });

  it('O-5: shortening never leaves half a character', () => {
    expect(quote(`${'x'.repeat(59)}😀${'y'.repeat(60)}`).isWellFormed()).toBe(true);
  });

  it.each([
    ['a new line', '\n'],
    ['NUL', '\u0000'],
    ['escape', '\u001b'],
    ['DEL', '\u007f'],
    ['next line', '\u0085'],
    ['a right-to-left override', '\u202e'],
    ['an isolate', '\u2066'],
    ['a zero-width space', '\u200b'],
    ['a zero-width joiner', '\u200d'],
    ['a soft hyphen', '\u00ad'],
    ['a byte order mark', '\ufeff'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ['private use', '\ue000'],
    ['a tag character', '\u{e0041}'],
    ['half a surrogate pair', '\ud800'],
  ])('O-5: %s is made visible', (_, character) => {
    const hex = character.codePointAt(0)?.toString(16);
    expect(makeVisible(`a${character}b`)).toBe(`a\\u{${hex}}b`);
    expect(quote(`a${character}b`)).toMatch(/^"[\x20-\x7e]+"$/);
  });

  it('O-5: visible text stays unchanged', () => {
    expect(makeVisible('Grüße, 日本, 😀 \\ "q"')).toBe('Grüße, 日本, 😀 \\ "q"');
  });

  it('O-5: the description is always short, on one line and valid Unicode', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 200 }),
        (text) => {
          const described = describeFound(text);
          expect(described.isWellFormed()).toBe(true);
          expect(described).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
          expect(described.length).toBeLessThan(700);
        },
      ),
      runs(500),
    );
  });
});

describe('describing where it was found', () => {
  it.each([
    [[], ''],
    [['payload', 'params', 'items', 2], 'payload.params.items[2]'],
    [[0, 'a'], '[0].a'],
    [['a b', 'c'], '["a b"].c'],
    [['', '1', 'ä'], '[""]["1"]["ä"]'],
    [['a"b'], '["a\\"b"]'],
    [['\u202e'], '["\\u{202e}"]'],
    [['k'.repeat(100)], `["${'k'.repeat(60)}… (100 characters)"]`],
  ])('O-5: the path %j is written %s', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });
});
