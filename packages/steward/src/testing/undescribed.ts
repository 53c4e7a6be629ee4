import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  objectsIn,
  textsIn,
} from '@proffer/core/json';

/**
 * Where a value does not match a schema of an OpenAPI description; covers as much as our descriptions
 * use.
 */
export function undescribed(value: JsonValue | undefined, schema: JsonObject, path = ''): readonly string[] {
  const alternatives = objectsIn(schema['oneOf']).map((one) => undescribed(value, one, path));
  if (alternatives.length > 0)
    return alternatives.some((found) => found.length === 0) ? [] : (alternatives[0] ?? []);
  const { type, enum: allowed, required, properties, items } = schema;
  if (isJsonArray(allowed)) return allowed.includes(value ?? null) ? [] : [path];
  if (type === 'array') {
    if (!isJsonArray(value)) return [path];
    return value.flatMap((one, place) => undescribed(one, objectOf(items), `${path}[${place}]`));
  }
  if (type !== 'object') return typeof value === (type === 'integer' ? 'number' : type) ? [] : [path];
  if (!isJsonObject(value)) return [path];
  const missing = textsIn(required).filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => `${path}.${name}`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const known = objectOf(properties)[name];
      return isJsonObject(known) ? undescribed(one, known, `${path}.${name}`) : [`${path}.${name}`];
    }),
  ];
}
