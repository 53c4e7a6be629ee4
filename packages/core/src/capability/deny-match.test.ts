import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json/json.js';
import { runs } from '../testing/runs.js';
import { isPlainPath } from './path-guard.js';
import { parsePayloadPattern } from './payload-pattern.js';

function matches(pattern: JsonValue, found: JsonValue, reading: 'narrow' | 'wide'): boolean {
  const parsed = parsePayloadPattern({ path: pattern }, 'payload', reading);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value({ path: found });
}

describe('patterns that forbid', () => {
  it.each(['/etc/passwd', '/etc/a/b'])('O-8: match %j in both readings', (path) => {
    expect(matches('/etc/**', path, 'narrow')).toBe(true);
    expect(matches('/etc/**', path, 'wide')).toBe(true);
  });

  it.each([
    '/tmp/../etc/passwd',
    '/etc/../etc/x',
    '//etc/x',
    '/tmp/%2e%2e/etc/x',
    'C:\\a\\..\\b',
    '/a\u0000',
  ])('O-8: match %j, which may be meant, only in the wide reading', (path) => {
    expect(matches('/etc/**', path, 'narrow')).toBe(false);
    expect(matches('/etc/**', path, 'wide')).toBe(true);
    expect(matches('/etc/passwd', path, 'wide')).toBe(true);
  });

  it('O-8: match neither plain paths elsewhere nor other values', () => {
    for (const other of ['/tmp/a', 'etc/passwd', 'C:\\a', 7, true, null]) {
      expect(matches('/etc/**', other, 'wide')).toBe(false);
    }
  });

  it('O-8: are about paths only if the pattern has a separator', () => {
    expect(matches('rm *', 'ls ..', 'wide')).toBe(false);
    expect(matches('rm **', 'rm a/../x', 'narrow')).toBe(false);
    expect(matches('rm **', 'rm a/../x', 'wide')).toBe(true);
  });

  it('O-8: match every text that is not a plain path, however it is spelled', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ' ',
      ';',
      ':',
      '?',
      '%2e',
      '%2f',
      '%c0%ae',
      'a',
      '\u0000',
      '\u0085',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        const plain = isPlainPath(text.replace(/^[/\\]/, ''));
        expect(matches('/etc/**', text, 'wide')).toBe(!plain);
      }),
      runs(500),
    );
  });

  it('O-8: match lists and objects in the place of a text', () => {
    expect(matches('/etc/**', ['/etc/passwd'], 'wide')).toBe(true);
    expect(matches('/etc/**', { a: 1 }, 'wide')).toBe(true);
    expect(matches({ a: '/etc/**' }, { a: '/tmp/x' }, 'wide')).toBe(false);
    expect(matches(['/etc/**'], ['/tmp/x'], 'wide')).toBe(false);
  });
});
