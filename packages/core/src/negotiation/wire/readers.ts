import { describe } from '../../json/describe.js';
import { formatPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';

/** What is wrong with one field. */
export type FieldProblem = { readonly field: string; readonly found: string; readonly expected: string };

/** A field's value, or what is wrong with it. */
export type FieldReading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: FieldProblem };

type Wrong = Extract<FieldReading<never>, { readonly ok: false }>;

/** The path of a field in the message. */
export type FieldPath = readonly (string | number)[];

/**
 * Reads one field from an untrusted peer's JSON. Absent and null give protobuf's default for an unset
 * field: `''`, `false`, `0`, `[]`.
 */
export interface FieldReader<Value> {
  (found: JsonValue | undefined, path: FieldPath): FieldReading<Value>;
  /**
   * True for a value that can be kept unchanged, so that a completely valid message is not copied.
   * Absent: never.
   */
  readonly isRight?: IsRight;
  /** The reader of each field of an object. Absent for anything else. */
  readonly fields?: Readonly<Record<string, FieldReader<unknown>>>;
}

type IsRight = (found: JsonValue | undefined) => boolean;

/** @param otherwise - handles other values: returns the default for an absent one, or the problem */
export function reader<Value extends JsonValue>(
  isRight: (found: JsonValue | undefined) => found is Value,
  otherwise: FieldReader<Value>,
): FieldReader<Value> {
  const whole: FieldReader<Value> = (found, path) => (isRight(found) ? read(found) : otherwise(found, path));
  return Object.assign(whole, { isRight });
}

/** Nearly everything is valid: paths are only computed, by reading again, if something is wrong. */
const NOWHERE: FieldPath = [];

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const isText = (found: JsonValue | undefined): found is string => typeof found === 'string';

/** Any text. */
export const text = reader(isText, (found, path) =>
  isAbsent(found) ? read('') : wrong(found, path, 'text'),
);

/** Non-blank text. */
export const filledText = reader(
  (found): found is string => isText(found) && isFilled(found),
  (found, path) => wrong(found, path, 'text that is not blank'),
);

/** True or false. */
export const flag = reader(
  (found): found is boolean => typeof found === 'boolean',
  (found, path) => (isAbsent(found) ? read(false) : wrong(found, path, 'true or false')),
);

/** Any number. */
export const number = reader(
  (found): found is number => typeof found === 'number',
  (found, path) => (isAbsent(found) ? read(0) : wrong(found, path, 'a number')),
);

/** Bytes in base64 with padding; kept as that text. */
export const bytes = reader(
  (found): found is string => isText(found) && found.length % 4 === 0 && BASE64.test(found),
  (found, path) => (isAbsent(found) ? read('') : wrong(found, path, 'base64 with padding')),
);

/** Any object; kept verbatim. */
export const anyObject = reader(isJsonObject, (found, path) =>
  isAbsent(found) ? read({}) : wrong(found, path, 'an object'),
);

/** An integer between two bounds, both inclusive. */
export function wholeNumber(from: number, to: number): FieldReader<number> {
  const isWithin = (found: JsonValue | undefined): found is number =>
    typeof found === 'number' && Number.isSafeInteger(found) && found >= from && found <= to;
  const isUnbounded = from === Number.MIN_SAFE_INTEGER && to === Number.MAX_SAFE_INTEGER;
  const expected = isUnbounded ? 'a whole number' : `a whole number from ${from} to ${to}`;
  return reader(isWithin, (found, path) =>
    isAbsent(found) && isWithin(0) ? read(0) : wrong(found, path, expected),
  );
}

/** A number that is more than one bound and at most another. */
export function numberAbove(bound: number, most: number = Number.MAX_VALUE): FieldReader<number> {
  const expected =
    most === Number.MAX_VALUE ? `a number above ${bound}` : `a number above ${bound}, at most ${most}`;
  return reader(
    (found): found is number => typeof found === 'number' && found > bound && found <= most,
    (found, path) => wrong(found, path, expected),
  );
}

/** A number from 0 to 1. */
export const fraction = reader(
  (found): found is number => typeof found === 'number' && found >= 0 && found <= 1,
  (found, path) => (isAbsent(found) ? read(0) : wrong(found, path, 'a number from 0 to 1')),
);

/** One of several words. */
export function oneOf<Word extends string>(...words: readonly Word[]): FieldReader<Word> {
  return (found, path) => {
    const word = words.find((candidate) => candidate === found);
    return word === undefined ? wrong(found, path, words.join(' or ')) : read(word);
  };
}

/** A list of such fields. */
export function listOf<Value>(item: FieldReader<Value>): FieldReader<readonly Value[]> {
  const { isRight } = item;
  const whole: FieldReader<readonly Value[]> = (found, path) => {
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
  if (isRight === undefined) return whole;
  return Object.assign(whole, {
    isRight: (found: JsonValue | undefined) => isJsonArray(found) && found.every(isRight),
  });
}

/** An object with any keys, whose values are such fields; kept verbatim. */
export function mapOf(item: FieldReader<JsonValue>): FieldReader<JsonObject> {
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

/** An optional field, undefined if absent. */
export function optional<Value>(reader: FieldReader<Value>): FieldReader<Value | undefined> {
  return (found, path) => (isAbsent(found) ? read(undefined) : reader(found, path));
}

/** An object with these fields. Unknown fields are ignored, as in protobuf. */
export function messageOf<Message extends JsonObject>(
  fields: {
    readonly [Name in keyof Message]-?: FieldReader<Message[Name]>;
  },
): FieldReader<Message> {
  const names = Object.keys(fields);
  const readers = names.map((name) => fields[name] as FieldReader<JsonValue | undefined>);
  const isRight = (found: JsonValue | undefined): found is Message => {
    // Unknown fields must be dropped, so it is copied.
    if (!isJsonObject(found) || Object.keys(found).length !== names.length) return false;
    for (let index = 0; index < names.length; index++) {
      if (readers[index]?.isRight?.(found[names[index] as string]) !== true) return false;
    }
    return true;
  };
  const whole = reader(isRight, (found, path) => {
    const object = isAbsent(found) ? {} : found;
    if (!isJsonObject(object)) return wrong(found, path, 'an object');
    const message: Record<string, JsonValue> = {};
    for (const [index, name] of names.entries()) {
      const field = readers[index] as FieldReader<JsonValue | undefined>;
      const reading = field(object[name], NOWHERE);
      if (!reading.ok) return field(object[name], [...path, name]) as Wrong;
      if (reading.value !== undefined) message[name] = reading.value;
    }
    return read(message as Message);
  });
  return Object.assign(whole, { fields });
}

/** A valid field. */
export function read<Value>(value: Value): FieldReading<Value> {
  return { ok: true, value };
}

/** An invalid field. */
export function wrong(found: JsonValue | undefined, path: FieldPath, expected: string): FieldReading<never> {
  return { ok: false, problem: { field: formatPath(path), found: describe(found), expected } };
}

function isAbsent(found: JsonValue | undefined): found is null | undefined {
  return found === undefined || found === null;
}

function isFilled(found: string): boolean {
  const first = found.charCodeAt(0);
  // Most texts start with a letter; then the rest does not matter.
  return (first > SPACE && first < DELETE) || found.trim() !== '';
}

const SPACE = 0x20;
const DELETE = 0x7f;
