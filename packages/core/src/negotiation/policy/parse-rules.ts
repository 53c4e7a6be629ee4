import { describe, quote } from '../../json/describe.js';
import { formatPath, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import { name } from '../wire/identifiers.js';
import {
  type FieldPath,
  type FieldReading,
  flag,
  listOf,
  oneOf,
  type Reader,
  read,
  wholeNumber,
  wrong,
} from '../wire/readers.js';
import { refuseField } from '../wire/refuse-field.js';
import { DEFAULT_POLICY_RULES } from './built-in.js';
import type { PolicyRules } from './rules.js';

const SECTIONS: { readonly [Name in keyof PolicyRules]: Reader<PolicyRules[Name]> } = {
  acceptance: section(DEFAULT_POLICY_RULES.acceptance, {
    criterion: oneOf('all_parties', 'counterparty', 'initiator'),
    commitment_accepts: flag,
  }),
  counter_proposal: section(DEFAULT_POLICY_RULES.counter_proposal, {
    max_rounds: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    retires_original: flag,
  }),
  rejection: section(DEFAULT_POLICY_RULES.rejection, {
    terminal_on_any_reject: flag,
    authority: oneOf('any_participant', 'initiator_only'),
    closes_negotiation: flag,
  }),
  withdrawal: section(DEFAULT_POLICY_RULES.withdrawal, { authority: oneOf('any_participant', 'author') }),
  commitment: section(DEFAULT_POLICY_RULES.commitment, {
    authority: oneOf('initiator_only', 'any_participant', 'designated_role'),
    designated_roles: listOf(name),
  }),
};

const readRules = section<PolicyRules>(DEFAULT_POLICY_RULES, SECTIONS);

/**
 * Reads the rules of a policy that somebody wants to register; what they leave out is as in
 * `policy.default`. Keys that begin with `_` or `$` are annotations and mean nothing. Refuses with
 * `INVALID_POLICY_DEFINITION` any other key that it does not know, a value that a key cannot have, and
 * designated roles without anybody in them, naming the path.
 */
export function parsePolicyRules(value: JsonValue): Result<PolicyRules> {
  const reading = readRules(value, ['rules']);
  if (!reading.ok) return failure(refuseField('INVALID_POLICY_DEFINITION', reading.problem));
  const { authority, designated_roles } = reading.value.commitment;
  if (authority === 'designated_role' && designated_roles.length === 0) {
    const problem = {
      field: 'rules.commitment.designated_roles',
      found: 'an empty list',
      expected: 'at least one name, or nobody could commit',
    };
    return failure(refuseField('INVALID_POLICY_DEFINITION', problem));
  }
  return success(reading.value);
}

/** An object with these keys and no others; a key that is not there has its default. */
function section<Section extends JsonObject>(
  defaults: Section,
  readers: { readonly [Name in keyof Section]-?: Reader<Section[Name]> },
): Reader<Section> {
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

function readKey<Section extends JsonObject>(
  readers: { readonly [Name in keyof Section]-?: Reader<Section[Name]> },
  key: string,
  found: JsonValue | undefined,
  path: FieldPath,
): FieldReading<JsonValue | undefined> {
  const field = [...path, key];
  if (!Object.hasOwn(readers, key)) {
    const expected = `one of ${Object.keys(readers).join(', ')}`;
    return { ok: false, problem: { field: formatPath(field), found: `the key ${quote(key)}`, expected } };
  }
  // A policy that says null says something else than one that says nothing.
  if (found === null) return wrong(found, field, `something else than ${describe(found)}`);
  return (readers[key] as Reader<JsonValue | undefined>)(found, field);
}
