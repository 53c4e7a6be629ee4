import { expect, it } from 'vitest';
import { describeChangedEnds, describeEnds, plainLines } from './line-ends.js';

it('says CRLF once for a text, and leaves a carriage return anywhere else to be marked', () => {
  expect(plainLines('a\r\nb\r\n')).toEqual({ text: 'a\nb\n', ends: 'CRLF' });
  expect(describeEnds(plainLines('a\r\nb'))).toBe('Lines end with CRLF (Windows).');
  expect(describeEnds(plainLines('a\nb'))).toBeUndefined();
  expect(plainLines('a\r\nb\n')).toEqual({ text: 'a\r\nb\n', ends: 'mixed' });
  expect(plainLines('rm x\recho hello')).toEqual({ text: 'rm x\recho hello', ends: 'none' });
  expect(plainLines('a\r\nb\rc')).toEqual({ text: 'a\nb\rc', ends: 'CRLF' });
  expect(plainLines('a\r\r\nb')).toEqual({ text: 'a\r\nb', ends: 'CRLF' });
});

it('says a change of line ends in words', () => {
  const said = (before: string, after: string) => describeChangedEnds(plainLines(before), plainLines(after));
  expect(said('a\r\nb', 'a\nb')).toBe('Line endings change from CRLF to LF.');
  expect(said('a\nb', 'a\r\nb\n')).toBe('Line endings change from LF to mixed.');
  expect(said('a\r\nb', 'a\r\nc')).toBe('Lines end with CRLF (Windows).');
  expect(said('a', 'b\r\nc')).toBe('Lines end with CRLF (Windows).');
  expect(said('a\nb', 'c')).toBeUndefined();
});
