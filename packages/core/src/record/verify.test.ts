import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json/json.js';
import type { Refusal } from '../refusal/refusal.js';
import { runs } from '../testing/runs.js';
import type { RecordContent, SealedRecord } from './record.js';
import { emptyStream, expectedHash, headAfter, sealRecord } from './seal.js';
import { parseRecord, verifyStream } from './verify.js';

function sealAll(contents: readonly RecordContent[], stream = 'proposal/p-1'): SealedRecord[] {
  let head = emptyStream(stream);
  return contents.map((content) => {
    const record = sealRecord(content, head);
    head = headAfter(record);
    return record;
  });
}

/** Where a refusal says that the stream goes wrong: the version expected there. */
function placeOf(refusal: Refusal): JsonValue | undefined {
  return refusal.code === 'record_out_of_order' ? refusal.details['expected'] : refusal.details['version'];
}

/** The result of verifying the records: a code and a version, or `whole`. */
function verdict(records: readonly SealedRecord[]): string {
  const result = verifyStream(records);
  return result.ok ? 'whole' : `${result.refusal.code} at ${JSON.stringify(placeOf(result.refusal))}`;
}

const content: fc.Arbitrary<RecordContent> = fc.record(
  {
    type: fc.constantFrom('proposed', 'rejected', 'fulfilled'),
    time: fc.nat(),
    principal: fc.constantFrom('agent', 'reviewer'),
    envelope: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), {
      noNullPrototype: true,
    }),
    facts: fc.dictionary(fc.string(), fc.nat(), { noNullPrototype: true }),
  },
  { requiredKeys: ['type', 'time', 'principal', 'envelope'] },
);
const chain = fc.array(content, { minLength: 2, maxLength: 6 }).map((contents) => sealAll(contents));
/** A chain and two different positions in it, the earlier first. */
const chainAndPlaces = chain.chain((records) =>
  fc.tuple(
    fc.constant(records),
    fc
      .uniqueArray(fc.nat(records.length - 1), { minLength: 2, maxLength: 2 })
      .map((places) => [...places].sort((left, right) => left - right) as [number, number]),
  ),
);

const CHANGES: readonly (readonly [string, (record: SealedRecord) => SealedRecord, string])[] = [
  ['the type', (record) => ({ ...record, type: `${record.type}!` }), 'wrong_hash'],
  ['the time', (record) => ({ ...record, time: record.time + 1 }), 'wrong_hash'],
  ['the principal', (record) => ({ ...record, principal: 'mallory' }), 'wrong_hash'],
  ['the envelope', (record) => ({ ...record, envelope: { ...record.envelope, extra: null } }), 'wrong_hash'],
  ['the facts', (record) => ({ ...record, facts: { ...record.facts, extra: 0 } }), 'wrong_hash'],
  ['a field that was not there', (record) => ({ ...record, note: 'x' }), 'wrong_hash'],
  [
    'the hash',
    (record) => ({ ...record, hash: record.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
    'wrong_hash',
  ],
  ['prev', (record) => ({ ...record, prev: `${record.prev}0` }), 'broken_chain'],
  ['the version', (record) => ({ ...record, version: record.version + 1 }), 'record_out_of_order'],
];

describe('a chain of records', () => {
  it('I-3: an unmodified stream is whole, and verifying ends at its head', () => {
    fc.assert(
      fc.property(chain, (records) => {
        const last = records.at(-1) as SealedRecord;
        expect(verifyStream(records)).toEqual({ ok: true, value: headAfter(last) });
        expect(last).toMatchObject({ version: records.length, schema: 1, prev: records.at(-2)?.hash });
      }),
      runs(100),
    );
    expect(verifyStream([])).toEqual({ ok: true, value: undefined });
  });

  it.each(CHANGES)('I-3: a change of %s in any record is found at its position', (_, change, code) => {
    fc.assert(
      fc.property(chainAndPlaces, ([records, [place]]) => {
        const changed = records.with(place, change(records[place] as SealedRecord));
        expect(verdict(changed)).toBe(`${code} at ${place + 1}`);
      }),
      runs(50),
    );
  });

  it('I-3: a record of another stream is found at its position', () => {
    fc.assert(
      fc.property(chainAndPlaces, ([records, [, place]]) => {
        const foreign = { ...(records[place] as SealedRecord), stream: 'proposal/p-2' };
        expect(verdict(records.with(place, foreign))).toBe(`record_out_of_order at ${place + 1}`);
      }),
      runs(50),
    );
    const [first, second] = sealAll(
      [1, 2].map((time) => ({ type: 'a', time, principal: 'p', envelope: {} })),
    );
    expect(verdict([{ ...(first as SealedRecord), stream: 'other' }, second as SealedRecord])).toBe(
      'wrong_hash at 1',
    );
  });

  it('I-3: a record that was changed and resealed breaks the link to the next one', () => {
    fc.assert(
      fc.property(chainAndPlaces, ([records, [place]]) => {
        const { hash: _hash, ...changed } = { ...(records[place] as SealedRecord), principal: 'mallory' };
        const forged = { ...changed, hash: expectedHash({ ...changed, hash: '' }) };
        expect(verdict(records.with(place, forged))).toBe(`broken_chain at ${place + 2}`);
      }),
      runs(50),
    );
  });

  it('I-3: a missing record is found where it is missing', () => {
    fc.assert(
      fc.property(chainAndPlaces, ([records, [place]]) => {
        expect(verdict(records.toSpliced(place, 1))).toBe(`record_out_of_order at ${place + 1}`);
      }),
      runs(50),
    );
  });

  it('I-3: records cut off the end are noticed if the head is known', () => {
    fc.assert(
      fc.property(chain, (records) => {
        const result = verifyStream(records.slice(0, -1));
        expect(result.ok && result.value?.hash).not.toBe(records.at(-1)?.hash);
      }),
      runs(50),
    );
  });

  it('I-3: two swapped records are found at the first', () => {
    fc.assert(
      fc.property(chainAndPlaces, ([records, [left, right]]) => {
        const swapped = records
          .with(left, records[right] as SealedRecord)
          .with(right, records[left] as SealedRecord);
        expect(verdict(swapped)).toBe(`record_out_of_order at ${left + 1}`);
      }),
      runs(50),
    );
  });

  it('I-3: a repeated record is found where it is repeated', () => {
    fc.assert(
      fc.property(chainAndPlaces, ([records, [place, later]]) => {
        const repeated = records.toSpliced(later, 0, records[place] as SealedRecord);
        expect(verdict(repeated)).toBe(`record_out_of_order at ${later + 1}`);
      }),
      runs(50),
    );
  });

  it('I-3: verifying can start at a trusted head, and only there', () => {
    fc.assert(
      fc.property(chainAndPlaces, ([records, [place]]) => {
        const from = headAfter(records[place] as SealedRecord);
        expect(verifyStream(records.slice(place + 1), { from }).ok).toBe(true);
        expect(verifyStream(records.slice(place + 1), { from: { ...from, hash: 'other' } })).toMatchObject({
          refusal: { code: 'broken_chain', details: { version: place + 2, expected: 'other' } },
        });
      }),
      runs(50),
    );
  });

  it("I-3: the journal's own position is not sealed, nor is the order of keys", () => {
    fc.assert(
      fc.property(chain, (records) => {
        const stored = records.map((record, seq) =>
          Object.fromEntries(Object.entries({ ...record, seq }).reverse()),
        );
        expect(verdict(stored as SealedRecord[])).toBe('whole');
      }),
      runs(50),
    );
  });

  it("I-3: the host's own hash seals and verifies alike", () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    fc.assert(
      fc.property(content, (content) => {
        const record = sealRecord(content, emptyStream('s'));
        expect(sealRecord(content, emptyStream('s'), hash)).toEqual(record);
        expect(verifyStream([record], { hash }).ok).toBe(true);
      }),
      runs(50),
    );
  });
});

describe('reading a record', () => {
  const [record] = sealAll([
    { type: 'proposed', time: 1, principal: 'agent', envelope: { a: 1 }, facts: {} },
  ]);
  const good = record as SealedRecord & JsonObject;

  it('I-3: a sealed record written as JSON is read back', () => {
    expect(parseRecord(JSON.parse(JSON.stringify(good)) as JsonValue)).toEqual({ ok: true, value: good });
    const { facts: _facts, ...without } = good;
    expect(parseRecord(without).ok).toBe(true);
  });

  it.each([
    ...['stream', 'type', 'principal', 'prev', 'hash'].map((field) => [field, 7, 'a string'] as const),
    ...['stream', 'type', 'principal', 'prev', 'hash'].map(
      (field) => [field, undefined, 'a string'] as const,
    ),
    ...['version', 'time'].map((field) => [field, 1.5, 'a whole number'] as const),
    ...['version', 'time'].map((field) => [field, '1', 'a whole number'] as const),
    ['version', 0, 'a whole number of at least 1'],
    ['version', -1, 'a whole number of at least 1'],
    ['envelope', [], 'an object'],
    ['envelope', undefined, 'an object'],
    ['facts', null, 'an object'],
  ] as const)('I-3: a record whose %s is %j is refused', (field, value, expected) => {
    expect(parseRecord({ ...good, [field]: value })).toMatchObject({
      ok: false,
      refusal: { code: 'invalid_record', details: { field, expected } },
    });
  });

  it.each([3, 0, '1', null, undefined])(
    'I-3: a record of schema %j is left to a version that knows it',
    (schema) => {
      expect(parseRecord({ ...good, schema })).toMatchObject({
        refusal: { code: 'unknown_record_schema', details: { expected: 1 } },
      });
    },
  );

  it.each([null, [], 'text', 1])('I-3: %j is not a record', (value) => {
    expect(parseRecord(value)).toMatchObject({ refusal: { code: 'invalid_record' } });
  });
});
