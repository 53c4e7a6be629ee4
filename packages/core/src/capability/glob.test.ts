import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { type Characters, compileGlob, matchGlob } from './glob.js';

/** The meaning of a glob by brute force: slow, and short enough to be obviously right. */
function matchesSlowly(pattern: string, text: string, separators: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('**')) {
    if (matchesSlowly(pattern.slice(2), text, separators)) return true;
    return text !== '' && matchesSlowly(pattern, text.slice(1), separators);
  }
  if (pattern.startsWith('*')) {
    if (matchesSlowly(pattern.slice(1), text, separators)) return true;
    return (
      text !== '' && !separators.includes(text.charAt(0)) && matchesSlowly(pattern, text.slice(1), separators)
    );
  }
  return text.startsWith(pattern.charAt(0)) && matchesSlowly(pattern.slice(1), text.slice(1), separators);
}

/** A text that counts reads of its characters. */
function counting(text: string): Characters & { readonly reads: () => number } {
  let reads = 0;
  return {
    length: text.length,
    charCodeAt: (index) => {
      reads++;
      return text.charCodeAt(index);
    },
    reads: () => reads,
  };
}

const pieces = (...choices: string[]) =>
  fc.array(fc.constantFrom(...choices), { maxLength: 9 }).map((all) => all.join(''));

describe('globs', () => {
  it('O-8: the matcher agrees with brute force', () => {
    const pattern = pieces('a', 'b', 'ab', '/', '.', '*', '**').filter((text) => !text.includes('***'));
    const text = pieces('a', 'b', 'ab', 'aab', '/', '.');
    fc.assert(
      fc.property(pattern, text, fc.constantFrom('/', './:'), (pattern, text, separators) => {
        expect(matchGlob(compileGlob(pattern, separators), text)).toBe(
          matchesSlowly(pattern, text, separators),
        );
      }),
      runs(20_000),
    );
  });

  it('O-8: a literal is found anywhere, even right after a partial match', () => {
    const literal = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(literal, fc.array(fc.nat(10), { maxLength: 6 }), (literal, lengths) => {
        const text = lengths.map((length) => literal.slice(0, length)).join('');
        expect(matchGlob(compileGlob(`**${literal}**`, '/'), text)).toBe(text.includes(literal));
        expect(matchGlob(compileGlob(`*${literal}`, '/'), text)).toBe(text.endsWith(literal));
      }),
      runs(3000),
    );
  });

  it("O-8: a text made by filling in a pattern's stars matches it", () => {
    const filled = fc.array(
      fc.oneof(
        fc
          .string({ unit: 'binary' })
          .filter((text) => !text.includes('*'))
          .map((text) => [text, text] as const),
        fc
          .string({ unit: 'binary' })
          .filter((text) => !text.includes('/'))
          .map((text) => ['*', text] as const),
      ),
    );
    fc.assert(
      fc.property(filled, (parts) => {
        const pattern = parts.map(([written]) => written).join('|');
        const text = parts.map(([, stands]) => stands).join('|');
        expect(matchGlob(compileGlob(pattern, '/'), text)).toBe(true);
      }),
      runs(1000),
    );
  });

  it.each([
    ['a*'.repeat(100).concat('b'), 'a'.repeat(10_000)],
    ['a**'.repeat(100).concat('b'), 'a'.repeat(10_000)],
    ['**a*'.repeat(100).concat('b'), 'a/'.repeat(5_000)],
    ['*'.concat('a'.repeat(500), 'b*c'), 'a'.repeat(10_000)],
    ['**'.concat('ab'.repeat(200), 'a**c'), 'ab'.repeat(5_000)],
    ['*a'.repeat(100), `${'a'.repeat(9_999)}b`],
  ])('O-8: %.12s… against an adversarial text reads it at most once per piece', (pattern, hard) => {
    const glob = compileGlob(pattern, '/');
    const text = counting(hard);
    expect(matchGlob(glob, text)).toBe(false);
    expect(text.reads()).toBeLessThanOrEqual(glob.pieces.length * hard.length);
  });

  it('O-8: a text with a different start is read no further than that', () => {
    const text = counting(`/var/${'x'.repeat(100_000)}`);
    expect(matchGlob(compileGlob('/tmp/**/*.txt', '/'), text)).toBe(false);
    expect(text.reads()).toBe(2);
  });
});
