import type { JsonObject, JsonValue } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { createArgumentCheck } from './argument-check.js';

const check = createArgumentCheck();
const faults = (schema: JsonObject, value: JsonValue) => check(schema, value).faults ?? 'unchecked';
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });

/** A list of long lists that differ at the end. */
const rows = (first: number) => Array.from({ length: 300 }, (_, i) => [...Array(1_500).fill(1), first + i]);

describe('valid arguments', () => {
  it.each<[string, JsonObject, JsonValue]>([
    ['no conditions', {}, { a: 1 }],
    ['types', object({ a: { type: 'string' }, b: { type: ['integer', 'null'] } }), { a: '', b: null }],
    ['an enum', { enum: ['a', { b: 1 }] }, { b: 1 }],
    ['numbers', { minimum: 1, exclusiveMaximum: 2, multipleOf: 0.1 }, 1.1],
    ['text', { minLength: 2, maxLength: 2, pattern: '^[😀a]+$' }, '😀a'],
    [
      'patterns of names',
      { patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
      { 'x-a': 1 },
    ],
    ['tuples', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1, 2]],
    ['tuples of draft 7', { items: [{ type: 'string' }], additionalItems: false }, ['a']],
    ['a list', { minItems: 1, uniqueItems: true, contains: { const: 1 } }, [2, 1]],
    ['alternatives', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 1],
    ['exactly one alternative', { oneOf: [{ minimum: 2 }, { maximum: 1 }] }, 1],
    ['not', { not: { type: 'string' } }, 1],
    [
      'if',
      JSON.parse('{"if":{"type":"string"},"then":{"minLength":2},"else":{"type":"number"}}') as JsonObject,
      1,
    ],
    ['dependent names', { dependentRequired: { a: ['b'] } }, { c: 1 }],
    ['a reference', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, 'x'],
    ['a tree', object({ left: { $ref: '#' } }, { additionalProperties: false }), { left: { left: {} } }],
    ['a format, which is not a condition', { format: 'email' }, 'nobody'],
  ])('O-39: %s', (_, schema, value) => {
    expect(faults(schema, value)).toEqual([]);
  });
});

describe('invalid arguments', () => {
  it.each<[string, JsonObject, JsonValue, string, string]>([
    [
      'a missing one',
      object({}, { required: ['path'] }),
      {},
      '/arguments/path',
      'a value, which is required',
    ],
    ['another type', object({ a: { type: 'integer' } }), { a: 'b' }, '/arguments/a', 'an integer'],
    [
      'an extra one',
      object({ a: {} }, { additionalProperties: false }),
      { 'b/c': 1 },
      '/arguments/b~1c',
      'only "a"',
    ],
    ['an enum', object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, '/arguments/a', 'one of "x", "y"'],
    ['too little', object({ a: { minimum: 5 } }), { a: 1 }, '/arguments/a', 'at least 5'],
    ['too long', object({ a: { maxLength: 1 } }), { a: 'ab' }, '/arguments/a', 'at most 1 characters'],
    ['no match', object({ a: { pattern: '^x' } }), { a: 'ab' }, '/arguments/a', 'text that matches ^x'],
    ['an item', object({ a: { items: { type: 'string' } } }), { a: ['x', 1] }, '/arguments/a/1', 'a string'],
    ['a list', object({ a: { maxItems: 1 } }), { a: [1, 2] }, '/arguments/a', 'at most 1 items'],
    [
      'no alternative',
      object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      { a: 1 },
      '/arguments/a',
      'a value that fits one of 2 alternatives',
    ],
    ['not an object', { type: 'object' }, [], '/arguments', 'an object'],
  ])('O-39: %s', (_, schema, value, path, expected) => {
    expect(faults(schema, value)).toMatchObject([{ path, expected }]);
  });

  it('O-39: are reported ten times at most', () => {
    const required = Array.from({ length: 50 }, (_, index) => `a${index}`);
    expect(faults({ required }, {})).toHaveLength(10);
  });

  it.each<[string, JsonObject, JsonValue]>([
    ['choices', { items: { enum: ['😀'.repeat(400_000), 'b'] } }, Array(10).fill(1)],
    ['many long choices', { items: { enum: rows(0) } }, rows(1_000)],
    ['a name', { additionalProperties: false }, { ['😀'.repeat(400_000)]: 1 }],
    ['a name that is required', { required: ['k'.repeat(900_000)] }, {}],
  ])('O-39: are reported briefly, however long they are: %s', (_, schema, value) => {
    const told = JSON.stringify(check(schema, value).faults);
    expect(told).toContain('expected');
    expect(told.length).toBeLessThan(20_000);
    expect(told).not.toMatch(/\\ud[89a-f]/);
  });
});

describe('unusable schema', () => {
  const deep = (levels: number): JsonObject => (levels === 0 ? {} : { items: deep(levels - 1) });
  /** A schema that applies another one 2^levels times. */
  const twice = (levels: number, schema: JsonObject): JsonObject => {
    const next = (i: number) => ({ $ref: `#/$defs/${i + 1}` });
    const $defs = Array.from({ length: levels }, (_, i) => ({ allOf: [next(i), next(i)] }));
    return { $ref: '#/$defs/0', $defs: [...$defs, schema] };
  };
  it.each<[string, JsonObject, JsonValue]>([
    ['refers to another document', { $ref: 'https://example.com/schema.json' }, {}],
    ['refers to nothing', { $ref: '#/$defs/missing' }, {}],
    ['has a pattern that needs backtracking', { pattern: '(a+)\\1$' }, 'aa'],
    [
      'has too many parts',
      object(Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`a${i}`, { type: 'string' }]))),
      {},
    ],
    ['is circular', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, {}],
    [
      'needs too much work',
      { items: { allOf: Array.from({ length: 100 }, () => deep(2)) } },
      Array.from({ length: 2_000 }, () => [[1]]),
    ],
    [
      'refers from part to part 4,000 times',
      { $ref: '#/$defs/0', $defs: Array.from({ length: 4_000 }, (_, i) => ({ $ref: `#/$defs/${i + 1}` })) },
      {},
    ],
    [
      'has a large cycle',
      {
        $ref: '#/$defs/0',
        $defs: Array.from({ length: 490 }, (_, i) => ({ $ref: `#/$defs/${(i + 1) % 490}` })),
      },
      {},
    ],
    ['compares a large value often', twice(6, { enum: [1] }), Array(300_000).fill(1)],
    ['has several for a long name', twice(13, { additionalProperties: true }), { ['k'.repeat(900_000)]: 1 }],
    ['is not a schema', { properties: { a: 'string' } }, {}],
  ])('O-39: is reported as unchecked at little cost: it %s', (_, schema, value) => {
    expect(check(schema, value).unchecked).toMatch(/^[A-Z].*\.$/);
  });
});
