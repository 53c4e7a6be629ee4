import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { canonicalJson, sameJson } from './canonical.js';
import { isJsonArray, isJsonObject, type JsonValue } from './json.js';

/** The same value with the keys of all its objects reversed. */
function reversed(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner as JsonValue)] as const);
  return Object.fromEntries(entries.reverse());
}

const json = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<JsonValue>;

describe('canonical JSON', () => {
  it('I-3: strings are written as ECMAScript writes them, whatever their content and length', () => {
    for (const text of [
      '',
      'plain',
      'a"b',
      'a\\b',
      '\u0000',
      '\u001f',
      '\u007f',
      'é\u2028',
      '😀',
      '\ud800',
      '"'.repeat(200),
    ]) {
      const long = `${'x'.repeat(20)}${text}${'y'.repeat(200)}`;
      for (const one of [text, long]) {
        expect(canonicalJson(one)).toBe(JSON.stringify(one));
        expect(canonicalJson({ [one]: one })).toBe(JSON.stringify({ [one]: one }));
      }
    }
  });

  it('I-3: keys are sorted by UTF-16 units, at every level', () => {
    const value = {
      '\u20ac': 1,
      '\r': 2,
      '\ufb33': 3,
      1: 4,
      '😀': 5,
      '\u0080': 6,
      ö: { b: 7, a: 8 },
      10: 9,
      9: 0,
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"10":9,"9":0,"\u0080":6,"ö":{"a":8,"b":7},"\u20ac":1,"😀":5,"\ufb33":3}',
    );
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [1e21, '1e+21'],
    [1e20, '100000000000000000000'],
    [1e-6, '0.000001'],
    [1e-7, '1e-7'],
    [1 / 3, '0.3333333333333333'],
    [1e30, '1e+30'],
    [4.5, '4.5'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [2 ** 53 + 1, '9007199254740992'],
  ])('I-3: the number %d is written %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([
    ['\b\f\n\r\t"\\/', '"\\b\\f\\n\\r\\t\\"\\\\/"'],
    ['\u0000\u001f\u007f', '"\\u0000\\u001f\u007f"'],
    ['é😀\u2028', '"é😀\u2028"'],
  ])('I-3: the text %j is escaped as little as JSON allows', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('I-3: there is no white space, and undefined is left out', () => {
    expect(canonicalJson({ b: [1, null, true, {}], a: undefined, c: [] })).toBe(
      '{"b":[1,null,true,{}],"c":[]}',
    );
  });

  it('I-3: a long array is written like its items, wherever objects occur among them', () => {
    const plain = [0, -0, 1e21, 1.5, 'é"\n', true, false, null, ''];
    const item = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...plain) },
      fc.constantFrom([], { b: 1, a: 2 }),
    );
    fc.assert(
      fc.property(fc.array(item, { minLength: 5, maxLength: 60 }), (items) => {
        expect(canonicalJson(items)).toBe(`[${items.map((each) => canonicalJson(each)).join(',')}]`);
      }),
      runs(500),
    );
  });

  it('I-3: more keys than the cache holds are all written correctly, even repeatedly', () => {
    const keys = Array.from({ length: 3000 }, (_, index) => `key "${index}"`);
    const value = Object.fromEntries(keys.map((key) => [key, 0]));
    const text = `{${keys
      .toSorted()
      .map((key) => `${JSON.stringify(key)}:0`)
      .join(',')}}`;
    expect([canonicalJson(value), canonicalJson(value)]).toEqual([text, text]);
  });

  it('I-3: it is JSON for the same value, whatever the key order', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.stringify(JSON.parse(text))).toHaveLength(JSON.stringify(value).length);
        expect(sameJson(value, reversed(value))).toBe(true);
      }),
      runs(500),
    );
  });

  it('I-3: repeated objects with the same keys are written like the first', () => {
    const keys = fc.constantFrom('a', 'b', 'é', '"', 'constructor', 'x'.repeat(70), '');
    const value = fc.oneof(fc.string(), fc.constant(undefined), fc.integer(), fc.constant({ b: 'c', a: [] }));
    const reference = (object: object): string => {
      const members = Object.entries(object).filter(([, member]) => member !== undefined);
      const texts = members.sort(([one], [other]) => (one < other ? -1 : 1));
      return `{${texts.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join()}}`;
    };
    fc.assert(
      fc.property(
        fc.uniqueArray(keys),
        fc.array(fc.array(value, { minLength: 7, maxLength: 7 })),
        (names, all) => {
          for (const values of all) {
            const object = Object.fromEntries(names.map((name, index) => [name, values[index]]));
            for (let time = 0; time < 3; time++) expect(canonicalJson(object)).toBe(reference(object));
          }
        },
      ),
      runs(200),
    );
  });

  it('I-3: different values have different texts', () => {
    const different: JsonValue[] = [
      0,
      '0',
      false,
      null,
      '',
      [],
      {},
      [[]],
      [{}],
      [0],
      ['0'],
      { 0: 0 },
      { '': 0 },
      'null',
    ];
    expect(new Set(different.map(canonicalJson)).size).toBe(different.length);
    expect(sameJson(undefined, undefined)).toBe(true);
    expect(sameJson(undefined, null)).toBe(false);
    expect(sameJson([1, 2], [2, 1])).toBe(false);
  });
});
