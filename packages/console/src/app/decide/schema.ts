import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
} from '@proffer/core/json';
import { entriesOf } from '../value/entries.js';

/** A form field, derived from a tool's schema or from the given arguments. */
export interface FormField {
  readonly name: string;
  readonly type: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  readonly choices: readonly JsonValue[];
  readonly isRequired: boolean;
  readonly description?: string;
}

/** The fields of a call: those in the schema, in its order, then any other arguments. */
export function fieldsOf(schema: JsonObject | undefined, given: JsonObject): readonly FormField[] {
  const properties = isJsonObject(schema?.['properties']) ? schema['properties'] : {};
  const required = isJsonArray(schema?.['required']) ? schema['required'] : [];
  const names = new Set([...Object.keys(properties), ...Object.keys(given)]);
  return [...names].map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return field(name, objectOf(property), {
      value: Object.hasOwn(given, name) ? given[name] : undefined,
      isRequired: required.includes(name),
    });
  });
}

function field(
  name: string,
  property: JsonObject,
  { value, isRequired }: { readonly value: JsonValue | undefined; readonly isRequired: boolean },
): FormField {
  const { description } = property;
  const choices = listOf(property['enum']);
  return {
    name,
    type: choices.length > 0 ? 'choice' : typeOf(property['type'], value),
    choices,
    isRequired,
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function typeOf(declared: JsonValue | undefined, value: JsonValue | undefined): FormField['type'] {
  // The given value decides if it differs from the declared type.
  const kind = value === undefined || value === null ? declared : typeof value;
  if (kind === 'string') return 'text';
  if (kind === 'number' || kind === 'integer') return 'number';
  return kind === 'boolean' ? 'boolean' : 'json';
}

/**
 * Obvious schema violations in the arguments: missing or unknown names, and types. Only a help while typing;
 * the gateway and the server have the last word.
 */
export function problemsIn(schema: JsonObject | undefined, given: JsonObject): readonly string[] {
  if (schema === undefined) return [];
  const properties = objectOf(schema['properties']);
  const required = listOf(schema['required']);
  const missing = required
    .filter((name) => typeof name === 'string')
    .filter((name) => !Object.hasOwn(given, name))
    .map((name) => `${name} is missing`);
  const wrong = entriesOf(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(properties, name))
      return schema['additionalProperties'] === false ? [`${name} is not an argument of this tool`] : [];
    const property = properties[name];
    return isJsonObject(property) ? problemOf(name, property, value) : [];
  });
  return [...missing, ...wrong];
}

function problemOf(name: string, property: JsonObject, value: JsonValue): readonly string[] {
  const { type, enum: choices } = property;
  if (isJsonArray(choices) && !choices.some((choice) => choice === value))
    return [`${name} must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`];
  const types = (isJsonArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  if (types.length === 0 || types.some((one) => isOfType(value, one))) return [];
  return [`${name} must be of type ${types.join(' or ')}`];
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return isJsonArray(value);
    case 'object':
      return isJsonObject(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
