import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../hash/sha256.js';
import { canonicalJson } from '../json/canonical.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import { JsonBytes } from '../json/json-bytes.js';
import { runs } from '../testing/runs.js';
import { hideValues, placeOf, type Salts } from './salted.js';
import { addRecord, emptyStream, expectedHash, headAfter, recordText, sealRecord } from './seal.js';
import { parseRecord, verifyStream } from './verify.js';

const name = fc.constantFrom('amount', 'a/b', 'a~b', '__proto__', 'x');
const args = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true, minKeys: 1 });

function contentOf(values: JsonObject) {
  const salts: Salts = Object.fromEntries(
    Object.keys(values).map((key, index) => [placeOf('/envelope/payload', key), `salt${index}`]),
  );
  return { type: 'a', time: 1, principal: 'p', envelope: { payload: values }, facts: { x: 1 }, salts };
}

describe('a record whose values have salts', () => {
  it('I-3: is chained and checked like any other, however it was written', () => {
    fc.assert(
      fc.property(args, (values) => {
        const content = contentOf(values);
        const first = sealRecord(content, emptyStream('s'));
        const second = sealRecord(content, headAfter(first));
        expect(verifyStream([first, second]).ok).toBe(true);
        const text = recordText(content, emptyStream('s'), canonicalJson(content.envelope));
        const bytes = new JsonBytes(16);
        addRecord(content, emptyStream('s'), bytes);
        expect(Buffer.from(bytes.bytes.buffer, 0, bytes.end).toString()).toBe(text);
        const read = Object.assign(JSON.parse(text), { hash: first.hash });
        expect(parseRecord(read)).toMatchObject({ ok: true });
        expect(expectedHash(read)).toBe(first.hash);
      }),
      runs(100),
    );
  });

  it('I-3: has the same hash with any of its values left out, and another one with any of them changed', () => {
    fc.assert(
      fc.property(args, fc.jsonValue(), fc.nat(), (values, other, at) => {
        const record = sealRecord(contentOf(values), emptyStream('s'));
        const keys = Object.keys(values);
        const key = keys[at % keys.length] as string;
        const place = placeOf('/envelope/payload', key);
        const hidden = hideValues(record, [place], sha256);
        expect(expectedHash(hidden)).toBe(record.hash);
        expect(expectedHash(hideValues(hidden, Object.keys(record.salts), sha256))).toBe(record.hash);
        const changed = replace(record, key, other as JsonValue);
        fc.pre(canonicalJson(changed.envelope) !== canonicalJson(record.envelope));
        expect(expectedHash(changed)).not.toBe(record.hash);
        // What stands in place of a value is no more than a text where values are shown.
        const { [key]: shown = null } = hidden.envelope.payload;
        expect(expectedHash(replace(record, key, shown))).not.toBe(record.hash);
      }),
      runs(100),
    );
  });

  it.each([
    [100, 'salt', 0, 'salt10'],
    [-7, 'salt', 7, 'salt-'],
    [5, 'salt1', 15, 'salt'],
    ['to "B"', 'salt', 'B"', 'salt"to \\'],
  ])('I-3: %j with the salt %j does not pass for %j with %j', (value, salt, other, otherSalt) => {
    const place = '/envelope/payload/amount';
    const record = sealRecord(
      { ...contentOf({ amount: value }), salts: { [place]: salt } },
      emptyStream('s'),
    );
    const forged = { ...replace(record, 'amount', other), salts: { [place]: otherSalt } };
    expect(expectedHash(forged)).not.toBe(record.hash);
  });

  it('I-3: is hashed in one pass, however many values it has', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`a${index}`, index]));
    const content = contentOf(many);
    const copies = vi.spyOn(Object, 'fromEntries');
    sealRecord(content, emptyStream('s'));
    expect(copies.mock.calls.length).toBeLessThan(10);
    copies.mockRestore();
  });

  it('I-3: shows nothing of a hidden value, and not without its salt whether it is a certain one', () => {
    const record = sealRecord(contentOf({ amount: 100 }), emptyStream('s'));
    const { salts, ...hidden } = hideValues(record, ['/envelope/payload/amount'], sha256);
    expect(salts).toEqual({ '/envelope/payload/amount': null });
    const other = sealRecord(
      { ...contentOf({ amount: 100 }), salts: { '/envelope/payload/amount': 'other' } },
      emptyStream('s'),
    );
    expect(hideValues(other, ['/envelope/payload/amount'], sha256).envelope).not.toEqual(hidden.envelope);
  });

  it.each([
    [1, { a: 'x' }],
    [2, undefined],
    [2, { a: 7 }],
    [2, { a: null }],
  ])('I-3: schema %j with the salts %j is not of a journal', (schema, salts) => {
    const record = { ...sealRecord(contentOf({ x: 1 }), emptyStream('s')), schema, salts };
    expect(parseRecord(record as unknown as JsonValue)).toMatchObject({
      refusal: { code: 'invalid_record', details: { field: 'salts' } },
    });
  });

  it('I-3: only a file for others may leave values out', () => {
    const record = hideValues(
      sealRecord(contentOf({ x: 1 }), emptyStream('s')),
      ['/envelope/payload/x'],
      sha256,
    );
    expect(parseRecord(record as unknown as JsonValue).ok).toBe(false);
    expect(parseRecord(record as unknown as JsonValue, true).ok).toBe(true);
  });
});

function replace<Of extends { readonly envelope: JsonObject }>(
  record: Of,
  key: string,
  value: JsonValue,
): Of {
  const payload = Object.fromEntries(
    Object.entries(record.envelope['payload'] as JsonObject).map(([one, old]) => [
      one,
      one === key ? value : old,
    ]),
  );
  return { ...record, envelope: { ...record.envelope, payload } };
}
