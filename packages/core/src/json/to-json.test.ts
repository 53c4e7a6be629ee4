import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../refusal/refusal.js';
import { runs } from '../testing/runs.js';
import { DEFAULT_JSON_LIMITS, type JsonObject } from './json.js';
import { toJson } from './to-json.js';

function refusalOf(value: unknown, limits = DEFAULT_JSON_LIMITS): Refusal | undefined {
  const copied = toJson(value, limits);
  return copied.ok ? undefined : copied.refusal;
}

class Point {
  x = 1;
}

function refusing(): never {
  throw new Error('no');
}

function holding(itself: 'directly' | 'further down'): object {
  const object: Record<string, unknown> = {};
  object['a'] = itself === 'directly' ? object : [{ b: object }];
  return object;
}

describe('converting values of a program', () => {
  it('O-5: JSON data is copied unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        fc.pre(JSON.stringify(value).isWellFormed() && !JSON.stringify(value).includes('__proto__'));
        fc.pre(!/\\u[dD]/.test(JSON.stringify(value)));
        expect(toJson(value)).toEqual({ ok: true, value });
      }),
      runs(300),
    );
  });

  it('O-5: later changes to the original do not reach the copy', () => {
    const original = { list: [{ a: 1 }] };
    const copied = toJson(original);
    original.list[0] = { a: 2 };
    original.list.push({ a: 3 });
    expect(copied).toEqual({ ok: true, value: { list: [{ a: 1 }] } });
  });

  it('O-5: undefined properties are left out, also in objects without a prototype', () => {
    const bare: unknown = Object.assign(Object.create(null) as object, { a: 1, b: undefined });
    expect(toJson({ a: undefined, b: bare })).toEqual({ ok: true, value: { b: { a: 1 } } });
    const copied = toJson({ a: undefined });
    expect(copied.ok && Object.keys(copied.value as JsonObject)).toEqual([]);
  });

  it('O-5: the same object in two places is not a cycle', () => {
    const shared = { a: 1 };
    expect(toJson([shared, { again: shared }])).toEqual({ ok: true, value: [{ a: 1 }, { again: { a: 1 } }] });
  });

  it('O-5: plain objects of another realm are plain objects', () => {
    const foreign: unknown = runInNewContext('({ a: [1, { b: null }], c: "x" })');
    expect(toJson(foreign)).toEqual({ ok: true, value: { a: [1, { b: null }], c: 'x' } });
    expect(refusalOf(runInNewContext('new Date(0)'))).toMatchObject({ code: 'not_json' });
    expect(refusalOf(runInNewContext('new (class A { x = 1 })()'))).toMatchObject({ code: 'not_json' });
  });

  it.each([
    ['NaN', Number.NaN, 'invalid_field', 'NaN'],
    ['Infinity', Number.POSITIVE_INFINITY, 'invalid_field', 'Infinity'],
    ['-Infinity', Number.NEGATIVE_INFINITY, 'invalid_field', '-Infinity'],
    ['a bigint', 10n, 'not_json', '10n'],
    ['a function', () => 1, 'not_json', 'a function'],
    ['a symbol', Symbol('s'), 'not_json', 'a symbol'],
    ['a Date', new Date(0), 'not_json', 'an instance of a class'],
    ['a Map', new Map([['a', 1]]), 'not_json', 'an instance of a class'],
    ['a Set', new Set([1]), 'not_json', 'an instance of a class'],
    ['bytes', new Uint8Array(2), 'not_json', 'an instance of a class'],
    ['a class instance', new Point(), 'not_json', 'an instance of a class'],
    ['a boxed string', Object('text'), 'not_json', 'an instance of a class'],
    ['an error', new Error('x'), 'not_json', 'an instance of a class'],
    ['a promise', Promise.resolve(), 'not_json', 'an instance of a class'],
  ])('O-5: %s is refused, with its place', (_, value, code, found) => {
    expect(refusalOf(value)).toMatchObject({ code, details: { field: '', found } });
    const inside = refusalOf({ list: [0, { 'a b': value }] });
    expect(inside).toMatchObject({ code, details: { field: 'list[1]["a b"]', found } });
    expect(inside?.message).toContain('list[1]["a b"]');
  });

  it('O-5: symbol-keyed and non-enumerable properties are left out', () => {
    const value = Object.defineProperty({ a: 1, [Symbol('b')]: 2 }, 'c', { value: 3 });
    expect(toJson(value)).toStrictEqual({ ok: true, value: { a: 1 } });
  });

  it('O-5: undefined and holes in arrays are refused, since JSON has no form for them', () => {
    expect(refusalOf(undefined)).toMatchObject({ code: 'not_json', details: { found: 'nothing' } });
    expect(refusalOf([1, undefined])).toMatchObject({ code: 'not_json', details: { field: '[1]' } });
    const sparse: unknown[] = [];
    sparse[4_000_000_000] = 1;
    expect(refusalOf({ sparse })).toMatchObject({ code: 'not_json', details: { field: 'sparse[0]' } });
  });

  it.each(['directly', 'further down'] as const)(
    'O-5: an object that contains itself %s is refused',
    (itself) => {
      expect(refusalOf(holding(itself))).toMatchObject({
        code: 'not_json',
        details: { field: itself === 'directly' ? 'a' : 'a[0].b' },
      });
    },
  );

  it.each([
    [
      'a getter that throws',
      {
        get a() {
          return refusing();
        },
      },
    ],
    ['a proxy that throws for its keys', { a: new Proxy({}, { ownKeys: refusing }) }],
    ['a proxy that throws for its prototype', { a: new Proxy({}, { getPrototypeOf: refusing }) }],
    ['a proxy that throws for its values', { a: new Proxy({ b: 1 }, { get: refusing }) }],
  ])('O-5: %s is refused, not thrown', (_, value) => {
    expect(refusalOf(value)).toMatchObject({
      code: 'not_json',
      message: expect.stringContaining('could not be read') as string,
    });
  });

  it('O-5: a revoked proxy is refused, and a transparent one is read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    expect(toJson({ proxy: new Proxy({ a: 1 }, {}) })).toEqual({ ok: true, value: { proxy: { a: 1 } } });
    revoke();
    expect(refusalOf(proxy)).toMatchObject({ code: 'not_json' });
  });

  it('O-5: an endless proxy costs no more than the limit', () => {
    const endless: object = new Proxy(
      {},
      {
        get: () => endless,
        ownKeys: () => ['a'],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
      },
    );
    expect(refusalOf(endless)?.code).toMatch(/not_json|too_deep/);
    const long = new Proxy([], { get: (_, key) => (key === 'length' ? Number.MAX_SAFE_INTEGER : 0) });
    expect(refusalOf(long)).toMatchObject({ code: 'too_large' });
  });

  it('O-5: keys and text follow the same rules as in messages', () => {
    expect(refusalOf(JSON.parse('{"__proto__":1}'))).toMatchObject({ code: 'forbidden_key' });
    expect(refusalOf({ a: '\ud800' })).toMatchObject({ code: 'invalid_field', details: { field: 'a' } });
    expect(refusalOf({ '\udc00': 1 })).toMatchObject({ code: 'invalid_field' });
  });

  it('O-5: depth is limited', () => {
    const nest = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
    expect(refusalOf(nest(64))).toBeUndefined();
    expect(refusalOf(nest(65))).toMatchObject({
      code: 'too_deep',
      details: { expected: 'at most 64 levels' },
    });
    expect(refusalOf(nest(10_000))).toMatchObject({ code: 'too_deep' });
  });

  it("O-5: the size limit counts the bytes of the value's JSON text", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        const size = Buffer.byteLength(text);
        expect(refusalOf(value, { maxBytes: size, maxDepth: 64 })).toBeUndefined();
        expect(refusalOf(value, { maxBytes: size - 1, maxDepth: 64 })).toMatchObject({ code: 'too_large' });
      }),
      runs(500),
    );
    expect(refusalOf({ a: 'x'.repeat(10_000_000) })).toMatchObject({
      code: 'too_large',
      details: { field: 'a' },
    });
  });
});
