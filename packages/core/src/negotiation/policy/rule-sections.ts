import { describe, quote } from '../../json/describe.js';
import { formatPath, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import { type FieldPath, type FieldReader, type FieldReading, read, wrong } from '../wire/readers.js';
import { refuseField } from '../wire/refuse-field.js';
import type { PolicyRules } from './policy-rules.js';

/**
 * An object with these keys and no others; a missing key has its default. Keys that start with `_` or
 * `$` are annotations without meaning.
 */
export function section<Section extends JsonObject>(
  defaults: Section,
  readers: { readonly [Name in keyof Section]-?: FieldReader<Section[Name]> },
): FieldReader<Section> {
  return (found, path) => {
    if (!isJsonObject(found)) return wrong(found, path, 'an object');
    const values: Record<string, JsonValue | undefined> = { ...defaults };
    for (const key of Object.keys(found)) {
      if (/^[_$]/.test(key)) continue;
      const reading = readKey(readers, key, found[key], path);
      if (!reading.ok) return reading;
      values[key] = reading.value;
    }
    return read(values as Section);
  };
}

/** Parses all rules of a policy. Refuses with `INVALID_POLICY_DEFINITION`, naming the path. */
export function readRules<Rules extends PolicyRules>(
  reader: FieldReader<Rules>,
  value: JsonValue,
): Result<Rules> {
  const reading = reader(value, ['rules']);
  return reading.ok
    ? success(reading.value)
    : failure(refuseField('INVALID_POLICY_DEFINITION', reading.problem));
}

function readKey<Section extends JsonObject>(
  readers: { readonly [Name in keyof Section]-?: FieldReader<Section[Name]> },
  key: string,
  found: JsonValue | undefined,
  path: FieldPath,
): FieldReading<JsonValue | undefined> {
  const field = [...path, key];
  if (!Object.hasOwn(readers, key)) {
    const expected = `one of ${Object.keys(readers).join(', ')}`;
    return { ok: false, problem: { field: formatPath(field), found: `the key ${quote(key)}`, expected } };
  }
  // `null` is not the same as absent.
  if (found === null) return wrong(found, field, `something other than ${describe(found)}`);
  return (readers[key] as FieldReader<JsonValue | undefined>)(found, field);
}
