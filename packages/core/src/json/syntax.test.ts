import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { findSyntaxError } from './syntax.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The closing brackets for those that a text leaves open. */
function closersOf(text: string): string {
  const open: string[] = [];
  for (const [token] of text.replaceAll(/\\./g, '').matchAll(/"[^"]*"?|[[\]{}]/g)) {
    if (token === '{') open.unshift('}');
    else if (token === '[') open.unshift(']');
    else if (!token.startsWith('"')) open.shift();
  }
  return open.join('');
}

const TOKEN_ENDS = [
  '',
  '0',
  '"',
  '""',
  'n"',
  '0"',
  '00"',
  '000"',
  '0000"',
  'rue',
  'ue',
  'e',
  'alse',
  'lse',
  'se',
  'ull',
  'll',
  'l',
];

/** Whether some ending makes a text JSON, found by trying all candidates. */
function canContinue(text: string): boolean {
  const closers = closersOf(text);
  return TOKEN_ENDS.some((end) => [end, `${end}:0`].some((ending) => isJson(text + ending + closers)));
}

describe('finding where JSON goes wrong', () => {
  it('O-5: some ending makes the text up to that position JSON, and none does with the character there', () => {
    const pieces = '{ } [ ] " \\ : , 1 0 - . e true null "a" "b": 1.5e+3 \\u00e9 \n'.split(' ');
    const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value));
    const broken = fc
      .tuple(json, fc.nat(), fc.constantFrom(...pieces, ''), fc.nat(2))
      .map(([text, place, piece, cut]) => {
        const at = place % (text.length + 1);
        return text.slice(0, at) + piece + text.slice(at + cut);
      });
    const noise = fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(broken, noise), (text) => {
        const at = findSyntaxError(text);
        expect(canContinue(text.slice(0, at))).toBe(true);
        expect(at < text.length && canContinue(text.slice(0, at + 1))).toBe(false);
      }),
      runs(3000),
    );
  });
});
