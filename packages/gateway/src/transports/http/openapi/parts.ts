import type { JsonObject } from '@proffer/core/json';

/** Content in JSON. */
export const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
/** An answer in JSON. */
export const answer = (description: string, schema: JsonObject = { type: 'object' }): JsonObject => ({
  description,
  content: json(schema),
});
/** The space in the path. */
export const space = { name: 'space', in: 'path', required: true, schema: { type: 'string' } };
/** A parameter in the address that may be left out. */
export const query = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'query',
  description,
  schema,
});
/** Every answer that is a refusal. */
export const refused: JsonObject = {
  description: 'Refused: a stable code, a sentence, and the facts.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
