import type { CallParts } from '@proffer/core/approvals';
import type { JsonObject } from '@proffer/core/json';
import { expect, it } from 'vitest';
import { columnsOf, orderedPlaces, sumOf } from './columns.js';

const calls = (...given: readonly JsonObject[]): readonly CallParts[] =>
  given.map((each) => ({ given: each, others: {} }));

it('has a column for each argument that differs, unless one needs more room', () => {
  expect(columnsOf(calls({ path: '/a', size: 1 }, { path: '/b', to: null }))).toEqual(['path', 'size', 'to']);
  expect(columnsOf(calls({ path: '/a' }, { path: 'a\nb' }))).toEqual([]);
  expect(columnsOf(calls({ rows: [1] }, { rows: [2] }))).toEqual([]);
  expect(columnsOf(calls({ a: 1, b: 1, c: 1, d: 1, e: 1 }))).toEqual([]);
  expect(columnsOf([{ given: { a: 1 }, others: { _meta: {} } }])).toEqual([]);
});

it('orders by numbers as numbers, and puts what is missing last', () => {
  const given = calls({ n: 10 }, { n: 9 }, {}, { n: 100 });
  expect(orderedPlaces(given, undefined)).toEqual([0, 1, 2, 3]);
  expect(orderedPlaces(given, { column: 'n', isDown: false })).toEqual([1, 0, 3, 2]);
  expect(orderedPlaces(given, { column: 'n', isDown: true })).toEqual([3, 0, 1, 2]);
  const texts = calls({ t: 'part-10' }, { t: 'part-9' });
  expect(orderedPlaces(texts, { column: 't', isDown: false })).toEqual([1, 0]);
});

it('adds up what is a number in every call, and nothing else', () => {
  expect(sumOf(calls({ n: 0.1 }, { n: 0.2 }), 'n')).toBe(0.3);
  expect(sumOf(calls({ n: 1 }, { n: '2' }), 'n')).toBeUndefined();
  expect(sumOf(calls({ n: 1 }, {}), 'n')).toBeUndefined();
  expect(sumOf([], 'n')).toBeUndefined();
});
