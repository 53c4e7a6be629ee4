import { type HashText, sha256 } from '../hash/sha256.js';
import { describe, quote } from '../json/describe.js';
import { isJsonObject, type JsonValue } from '../json/json.js';
import { failure, type Refusal, type Result, refuse, success } from '../refusal/refusal.js';
import { RECORD_SCHEMA, SALTED_SCHEMA, type SealedRecord } from './record.js';
import { emptyStream, expectedHash, headAfter, type StreamHead } from './seal.js';

/**
 * Checks that JSON from a journal has the form of a record. Does not check its hash.
 *
 * @param mayHide - whether values may be left out. In a journal, none are.
 */
export function parseRecord(value: JsonValue, mayHide = false): Result<SealedRecord> {
  if (!isJsonObject(value)) return failure(invalid('The record', describe(value), 'an object'));
  const { schema, salts } = value;
  if (schema !== RECORD_SCHEMA && schema !== SALTED_SCHEMA) {
    return failure(
      refuse('unknown_record_schema', `The record has schema ${describe(schema)}.`, {
        found: schema ?? null,
        expected: RECORD_SCHEMA,
      }),
    );
  }
  for (const field of ['stream', 'type', 'principal', 'prev', 'hash'] as const) {
    const found = value[field];
    if (typeof found !== 'string') return failure(invalid(field, describe(found), 'a string'));
  }
  for (const field of ['version', 'time'] as const) {
    const found = value[field];
    if (!Number.isSafeInteger(found)) return failure(invalid(field, describe(found), 'a whole number'));
  }
  if ((value['version'] as number) < 1) {
    return failure(invalid('version', describe(value['version']), 'a whole number of at least 1'));
  }
  for (const field of ['envelope', 'facts'] as const) {
    const found = value[field];
    const absent = field === 'facts' && found === undefined;
    if (!absent && !isJsonObject(found)) return failure(invalid(field, describe(found), 'an object'));
  }
  if (schema === RECORD_SCHEMA ? salts !== undefined : !areSalts(salts, mayHide)) {
    const expected = schema === RECORD_SCHEMA ? 'absent' : 'an object with a salt for each place';
    return failure(invalid('salts', describe(salts), expected));
  }
  return success(value as SealedRecord);
}

function areSalts(value: JsonValue | undefined, mayHide: boolean): boolean {
  if (!isJsonObject(value)) return false;
  return Object.values(value).every((salt) => typeof salt === 'string' || (mayHide && salt === null));
}

/**
 * Walks one stream from its beginning, or from a trusted head, and finds the first record that is
 * missing, repeated, reordered or changed. Returns the head it reached; records cut off the end leave
 * a shorter, valid stream, so only a head known from elsewhere reveals that they are gone.
 */
export function verifyStream(
  records: Iterable<SealedRecord>,
  options: { readonly from?: StreamHead; readonly hash?: HashText } = {},
): Result<StreamHead | undefined> {
  let head = options.from;
  for (const record of records) {
    head ??= emptyStream(record.stream);
    const refusal = checkLink(head, record, options.hash ?? sha256);
    if (refusal !== undefined) return failure(refusal);
    head = headAfter(record);
  }
  return success(head);
}

function checkLink(head: StreamHead, record: SealedRecord, hash: HashText): Refusal | undefined {
  const place = { stream: record.stream, version: record.version };
  const name = `Record ${record.version} of ${quote(record.stream)}`;
  if (record.stream !== head.stream || record.version !== head.version + 1) {
    return refuse(
      'record_out_of_order',
      `${name} is where version ${head.version + 1} of ${quote(head.stream)} should be.`,
      {
        ...place,
        expected: head.version + 1,
      },
    );
  }
  if (record.prev !== head.hash) {
    return refuse('broken_chain', `${name} does not follow the record before it.`, {
      ...place,
      found: record.prev,
      expected: head.hash,
    });
  }
  const expected = expectedHash(record, hash);
  if (record.hash === expected) return undefined;
  return refuse('wrong_hash', `${name} was changed after it was sealed.`, {
    ...place,
    found: record.hash,
    expected,
  });
}

function invalid(field: string, found: string, expected: string): Refusal {
  return refuse('invalid_record', `${field} of a record is ${found}.`, { field, found, expected });
}
