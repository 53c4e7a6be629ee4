import type { JsonObject } from '@proffer/core/json';

/** One route as the OpenAPI description shows it; parameters in its path, and how it is refused, are added. */
export interface Operation {
  readonly summary: string;
  readonly description?: string;
  /** Parameters besides those in the path. */
  readonly parameters?: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<string, JsonObject>>;
  /** Whether it is answered without a token. */
  readonly isOpen?: boolean;
}

/** Routes by method and path, such as `GET /spaces/{space}/feed`. */
export type Operations = Readonly<Record<string, Operation>>;

/** The paths of routes, as in an OpenAPI document. */
export function pathsOf(operations: Operations, refused: JsonObject): Readonly<Record<string, JsonObject>> {
  const paths: Record<string, JsonObject> = {};
  for (const [route, { isOpen, parameters = [], responses, ...rest }] of Object.entries(operations)) {
    const [method = '', written = ''] = route.split(' ');
    const path = written.replace('{*', '{');
    const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const all = [...inPath, ...parameters];
    const operation: JsonObject = {
      ...rest,
      ...(all.length === 0 ? {} : { parameters: all }),
      ...(isOpen === true ? { security: [], responses } : { responses: { default: refused, ...responses } }),
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return paths;
}

/** JSON content. */
export const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
/** A JSON answer. */
export const answer = (description: string, schema: JsonObject = { type: 'object' }): JsonObject => ({
  description,
  content: json(schema),
});
/** An optional query parameter. */
export const query = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'query',
  description,
  schema,
});

/** What an evidence file is to prove besides: that the log continues a state that somebody kept. */
export const KEPT = query(
  'kept',
  'The size of a checkpoint that somebody kept; may be repeated. The file then proves that the log continues it.',
  { type: 'array', items: { type: 'integer' } },
);

/** What an evidence file leaves out. */
export const HIDE = query(
  'hide',
  'An argument of the call to hide, with what is computed from it and what mentions it; may be repeated. Its salted hash stands in its place.',
  { type: 'array', items: { type: 'string' } },
);

/** How an evidence file is signed. */
export const FORM = query(
  'form',
  'dsse (the default), or cose: a COSE message with receipts (RFC 9942), as `{ "cose": "…" }` in base64.',
  { enum: ['dsse', 'cose'] },
);

/** An evidence file. */
export const EVIDENCE_FILE = answer(
  'An in-toto statement in a DSSE envelope, signed with the key of the log.',
  {
    type: 'object',
    properties: {
      cose: { type: 'string', description: 'Instead of all others, if it was asked for.' },
      payloadType: { const: 'application/vnd.in-toto+json' },
      payload: { type: 'string', description: 'The statement, in base64.' },
      signatures: {
        type: 'array',
        items: {
          type: 'object',
          required: ['keyid', 'sig'],
          properties: { keyid: { type: 'string' }, sig: { type: 'string' } },
        },
      },
    },
  },
);
