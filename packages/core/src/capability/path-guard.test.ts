import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { isPlainPath } from './path-guard.js';

describe('plain paths', () => {
  it.each([
    '',
    'a',
    'a/b.txt',
    'a/b/',
    '.hidden/.git',
    'a..b/c..',
    '..a',
    'file:///srv/a',
    'https://example.org/a?b=c',
    'a b/ c',
    '100%',
    'a%20b',
    '%C3%A9',
    '%E0%A4%85',
    '%F0%9F%98%80',
    '100%25',
    '%2',
    '%zz',
    'é/日本/😀',
    '．．／etc',
    '..\u2215etc',
    '\u2025/etc',
  ])('O-8: %j is plain', (text) => {
    expect(isPlainPath(text)).toBe(true);
  });

  it.each([
    '.',
    '..',
    'a/..',
    '../a',
    'a/../b',
    'a/./b',
    'a\\..\\b',
    'a/..\\b',
    '...',
    '.. /a',
    ' ..',
    '..;/a',
    '..?',
    'a/..#b',
    '..::$DATA',
    '/a',
    '\\a',
    'a//b',
    'a\\\\b',
    'a/\\b',
    'file:////a',
    '%2e',
    '%2E%2e/a',
    '.%2e/a',
    'a%2fb',
    'a%2Fb',
    'a%5cb',
    'a%5Cb',
    'a%00b',
    'a%0ab',
    'a%7fb',
    '%252e',
    '%25252E%25252e',
    '%c0%ae%c0%ae/a',
    '%C1%9c',
    '%e0%80%ae',
    '%f0%80%80%ae',
    '%u002e%u002e/a',
    '%25%32%65',
    '%2%65',
    '%%32e',
    '%%32%%36%35',
    '%25u002e',
    '%25%75002e',
    'a\u0000b',
    'a\nb',
    'a\tb',
    'a\u007fb',
    'a\u0085b',
  ])('O-8: %j is not plain', (text) => {
    expect(isPlainPath(text)).toBe(false);
  });

  it('O-8: a plain path stays in its folder, however it is decoded and normalised', () => {
    const piece = fc.constantFrom(
      'a',
      '.',
      '..',
      '/',
      '\\',
      '%2e',
      '%2F',
      '%5C',
      '%25',
      '2e',
      '%2',
      '%65',
      '%32',
      '5',
      'e',
      'F',
      ' ',
      ';',
      ':',
      '%',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        fc.pre(isPlainPath(text));
        let decoded = text;
        for (let times = 0; times < 5; times++) {
          decoded = decoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          );
          for (const found of [decoded, decoded.replaceAll('\\', '/')]) {
            expect(path.posix.normalize(`/srv/box/${found}`)).toMatch(/^\/srv\/box\//);
            expect(path.win32.normalize(`C:\\srv\\box\\${found}`)).toMatch(/^C:\\srv\\box\\/);
            expect(new URL(`file:///srv/box/${found}`).pathname).toMatch(/^\/srv\/box\//);
          }
        }
      }),
      runs(5000),
    );
  });
});
