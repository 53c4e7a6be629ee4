import { describe } from '../../json/describe.js';
import { formatPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';

/** What is wrong with one field. */
export type Problem = { readonly field: string; readonly found: string; readonly expected: string };

/** A field's value, or what is wrong with it. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

type Wrong = Extract<Reading<never>, { readonly ok: false }>;

/** Where a field stands in the message. */
export type FieldPath = readonly (string | number)[];

/**
 * Reads one field out of JSON from an untrusted peer. Absent and null give the default that protobuf
 * gives an unset field: `''`, `false`, `0`, `[]`.
 */
export type Reader<Value> = (found: JsonValue | undefined, path: FieldPath) => Reading<Value>;

/** Nearly everything is right: where it stands is only found out, by reading it again, when something is wrong. */
const NOWHERE: FieldPath = [];

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Any text. */
export const text: Reader<string> = (found, path) => {
  if (typeof found === 'string') return read(found);
  return isAbsent(found) ? read('') : wrong(found, path, 'text');
};

/** Text that is not only white space. */
export const filledText: Reader<string> = (found, path) => {
  if (typeof found === 'string' && found.trim() !== '') return read(found);
  return wrong(found, path, 'text that is not blank');
};

/** True or false. */
export const flag: Reader<boolean> = (found, path) => {
  if (typeof found === 'boolean') return read(found);
  return isAbsent(found) ? read(false) : wrong(found, path, 'true or false');
};

/** Bytes in base64 with padding; kept as that text. */
export const bytes: Reader<string> = (found, path) => {
  if (isAbsent(found)) return read('');
  const valid = typeof found === 'string' && found.length % 4 === 0 && BASE64.test(found);
  return valid ? read(found) : wrong(found, path, 'base64 with padding');
};

/** A whole number between two bounds, both included. */
export function wholeNumber(from: number, to: number): Reader<number> {
  return (found, path) => {
    const value = isAbsent(found) ? 0 : found;
    const valid = typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to;
    return valid ? read(value) : wrong(found, path, `a whole number from ${from} to ${to}`);
  };
}

/** One of a few words. */
export function oneOf<Word extends string>(...words: readonly Word[]): Reader<Word> {
  return (found, path) => {
    const word = words.find((candidate) => candidate === found);
    return word === undefined ? wrong(found, path, words.join(' or ')) : read(word);
  };
}

/** A list of such fields. */
export function listOf<Value>(item: Reader<Value>): Reader<readonly Value[]> {
  return (found, path) => {
    if (isAbsent(found)) return read([]);
    if (!isJsonArray(found)) return wrong(found, path, 'a list');
    const values: Value[] = [];
    for (const [index, element] of found.entries()) {
      const reading = item(element, NOWHERE);
      if (!reading.ok) return item(element, [...path, index]) as Wrong;
      values.push(reading.value);
    }
    return read(values);
  };
}

/** An object with any keys, whose values are such fields; kept verbatim. */
export function mapOf(item: Reader<JsonValue>): Reader<JsonObject> {
  return (found, path) => {
    if (isAbsent(found)) return read({});
    if (!isJsonObject(found)) return wrong(found, path, 'an object');
    for (const key of Object.keys(found)) {
      const reading = item(found[key], NOWHERE);
      if (!reading.ok) return item(found[key], [...path, key]) as Wrong;
    }
    return read(found);
  };
}

/** The field if it is there, undefined if it is not. */
export function optional<Value>(reader: Reader<Value>): Reader<Value | undefined> {
  return (found, path) => (isAbsent(found) ? read(undefined) : reader(found, path));
}

/** An object with these fields. Fields that it does not know are ignored, as protobuf ignores them. */
export function messageOf<Message extends JsonObject>(
  fields: {
    readonly [Name in keyof Message]-?: Reader<Message[Name]>;
  },
): Reader<Message> {
  const names = Object.keys(fields);
  return (found, path) => {
    const object = isAbsent(found) ? {} : found;
    if (!isJsonObject(object)) return wrong(found, path, 'an object');
    const message: Record<string, JsonValue> = {};
    for (const name of names) {
      const reader = fields[name] as Reader<JsonValue | undefined>;
      const reading = reader(object[name], NOWHERE);
      if (!reading.ok) return reader(object[name], [...path, name]) as Wrong;
      if (reading.value !== undefined) message[name] = reading.value;
    }
    return read(message as Message);
  };
}

/** A field that was read. */
export function read<Value>(value: Value): Reading<Value> {
  return { ok: true, value };
}

/** A field that could not be read. */
export function wrong(found: JsonValue | undefined, path: FieldPath, expected: string): Reading<never> {
  return { ok: false, problem: { field: formatPath(path), found: describe(found), expected } };
}

function isAbsent(found: JsonValue | undefined): found is null | undefined {
  return found === undefined || found === null;
}
