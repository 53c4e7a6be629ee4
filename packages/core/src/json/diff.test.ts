import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { sameJson } from './canonical.js';
import { applyChanges, diffJson } from './diff.js';
import type { JsonValue } from './json.js';

describe('the difference between two values', () => {
  it('O-13: is empty for the same value in another order', () => {
    expect(diffJson({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toEqual([]);
    expect(diffJson({ a: undefined }, {})).toEqual([]);
    expect(diffJson(undefined, undefined)).toEqual([]);
  });

  it('O-13: lists additions, removals and changes with their places, sorted', () => {
    expect(
      diffJson(
        { z: 1, gone: 2, deep: { same: 1, list: [1] } },
        { new: null, z: 3, deep: { same: 1, list: [2] } },
      ),
    ).toEqual([
      { path: '/deep/list', before: [1], after: [2] },
      { path: '/gone', before: 2 },
      { path: '/new', after: null },
      { path: '/z', before: 1, after: 3 },
    ]);
  });

  it('O-13: escapes keys with slashes and tildes like JSON Pointer', () => {
    expect(diffJson({}, { 'a/b~c': 1, '': 2 })).toEqual([
      { path: '/', after: 2 },
      { path: '/a~1b~0c', after: 1 },
    ]);
  });

  it('O-13: replaces an object that becomes something else as a whole', () => {
    expect(diffJson({ a: {} }, { a: [] })).toEqual([{ path: '/a', before: {}, after: [] }]);
    expect(diffJson({ a: 1 }, null)).toEqual([{ path: '', before: { a: 1 }, after: null }]);
  });

  it.each(['toString', 'constructor', 'hasOwnProperty'])('O-13: treats %s like any other key', (key) => {
    expect(diffJson({}, { [key]: 1 })).toEqual([{ path: `/${key}`, after: 1 }]);
    expect(diffJson({ [key]: 1 }, {})).toEqual([{ path: `/${key}`, before: 1 }]);
  });

  it('O-13: lists up to a thousand changes individually, more as one change of the whole', () => {
    const numbered = (count: number, value: number): JsonValue =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]));
    expect(diffJson(numbered(1000, 1), numbered(1000, 2))).toHaveLength(1000);
    expect(diffJson({ a: numbered(1001, 1), b: 0 }, { a: numbered(1001, 2), b: 0 })).toEqual([
      { path: '', before: { a: numbered(1001, 1), b: 0 }, after: { a: numbered(1001, 2), b: 0 } },
    ]);
    expect(diffJson(numbered(5000, 1), { ...(numbered(5000, 1) as object), key7: 2 })).toEqual([
      { path: '/key7', before: 1, after: 2 },
    ]);
  });

  it('O-13: lists paths of up to 65,536 characters in total, longer ones as one change of the whole', () => {
    const under = (key: string, leaf: number) => ({ [key]: { a: leaf, b: { c: leaf } } });
    const longest = 'k'.repeat((65_536 - '//a//b/c'.length) / 2);
    expect(diffJson(under(longest, 1), under(longest, 2))).toEqual([
      { path: `/${longest}/a`, before: 1, after: 2 },
      { path: `/${longest}/b/c`, before: 1, after: 2 },
    ]);
    const longer = `${longest}k`;
    expect(diffJson(under(longer, 1), under(longer, 2))).toEqual([
      { path: '', before: under(longer, 1), after: under(longer, 2) },
    ]);
    expect(diffJson(under(longer, 1), under(longer, 1))).toEqual([]);
  });

  it('O-13, I-7: is bounded for many leaves under one very long key', () => {
    const leaves = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`x${index}`, index]));
    const key = 'k'.repeat(400_000);
    const changes = diffJson({ [key]: {} }, { [key]: leaves });
    expect(JSON.stringify(changes).length).toBeLessThan(2_000_000);
    expect(changes).toHaveLength(1);
  });

  it('O-13: leads from one value to the other when applied', () => {
    const key = fc.constantFrom('a', 'b', 'a/b', '~', '', 'toString');
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(0, 1, 'x', null, true),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(sameJson(applyChanges(before, diffJson(before, after)), after)).toBe(true);
      }),
      runs(1000),
    );
  });
});
