import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { canonicalJson } from './canonical.js';
import type { JsonValue } from './json.js';
import { JsonBytes } from './json-bytes.js';

/** A value as bytes, read as text again. */
function written(value: JsonValue, size: number): string {
  const bytes = new JsonBytes(size);
  bytes.addJson(value);
  return Buffer.from(bytes.bytes.subarray(0, bytes.end)).toString();
}

describe('canonical JSON as bytes', () => {
  it('I-3: is the UTF-8 of the canonical text, whatever the value', () => {
    const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
    const property = fc.property(value, fc.integer({ min: 0, max: 100 }), (one, size) => {
      expect(written(one, size)).toBe(canonicalJson(one));
    });
    fc.assert(property, runs(500));
  });

  it.each([
    ['numbers', [0, -0, 7, 10, 99, 100, 2 ** 53 - 1, 2 ** 53, -1, 1e21, 1.5, 5e-324, Number.NaN]],
    ['texts', ['', 'a"b', 'a\\b', '\u0000\u001f\u007f', 'é', '\u2028', '😀', '\ud800', 'x'.repeat(5000)]],
    [
      'more keys than are sorted here',
      Object.fromEntries(Array.from({ length: 26 }, (_, index) => [String.fromCharCode(0x7a - index), 1])),
    ],
    ['keys in another order than their bytes', { '\uffff': 1, '😀': 2, é: 3, b: { z: 1, a: [] }, a: {} }],
  ])('I-3: the same for %s', (_, value) => {
    expect(written(value, 0)).toBe(canonicalJson(value));
  });

  it('fields without a value are left out', () => {
    const value = { b: undefined, a: { c: undefined } } as unknown as JsonValue;
    expect(written(value, 0)).toBe('{"a":{}}');
  });
});
