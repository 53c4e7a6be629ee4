import type { JsonObject } from '@proffer/core/json';

/** JSON content. */
export const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
/** A JSON answer. */
export const answer = (description: string, schema: JsonObject = { type: 'object' }): JsonObject => ({
  description,
  content: json(schema),
});
/** The space in the path. */
export const space = { name: 'space', in: 'path', required: true, schema: { type: 'string' } };
/** An optional query parameter. */
export const query = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'query',
  description,
  schema,
});
/** Every refusal. */
export const refused: JsonObject = {
  description: 'Refused, with a stable code, a message and details.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
