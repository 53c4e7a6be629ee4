import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { describe, isJsonObject, type JsonObject, type JsonValue, quote } from '@proffer/core/json';
import type { Action } from './action.js';

/** Checks that a body has only known fields, and the required ones, so that no typo is ignored. */
export function checkFields(
  body: JsonValue,
  { fields, required = [] }: Pick<Action, 'fields' | 'required'>,
): Result<JsonObject> {
  if (!isJsonObject(body)) {
    const found = describe(body);
    const sentence = `The body is ${found}; expected an object.`;
    return failure(refuse('invalid_json', sentence, { found, expected: 'an object' }));
  }
  const known = Object.keys(fields);
  const unknown = Object.keys(body).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    const sentence = `The body has an unknown field ${quote(unknown)}; the fields are ${known.join(', ')}.`;
    return failure(refuse('invalid_field', sentence, { field: unknown, expected: known }));
  }
  const missing = required.find((field) => body[field] === undefined);
  if (missing === undefined) return success(body);
  return failure(refuse('missing_field', `The body has no ${missing}.`, { field: missing }));
}

/** Renames a payload field in a refusal to its name in the body. */
export function inTermsOfBody(refusal: Refusal): Refusal {
  const { field } = refusal.details;
  if (typeof field !== 'string' || !field.startsWith('payload.')) return refusal;
  const name = field.slice('payload.'.length);
  const message = refusal.message.replaceAll(field, name);
  return { ...refusal, message, details: { ...refusal.details, field: name } };
}
