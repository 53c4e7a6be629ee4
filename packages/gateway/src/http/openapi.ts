import type { JsonObject } from '@proffer/core';

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const answer = (description: string, schema: JsonObject = { type: 'object' }): JsonObject => ({
  description,
  content: json(schema),
});
const space = { name: 'space', in: 'path', required: true, schema: { type: 'string' } };
const refused = answer('Refused: a stable code, a sentence, and the facts.', {
  $ref: '#/components/schemas/Refusal',
});

/** What the HTTP face offers, for tools that read OpenAPI. */
export const OPENAPI: JsonObject = {
  openapi: '3.1.0',
  info: {
    title: 'Proffer gateway',
    version: '0.1.0',
    description: 'Operations that are proposed, decided and run once. Live messages: WebSocket at /ws.',
  },
  security: [{ bearer: [] }],
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Refusal: {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message', 'details'],
            properties: {
              code: { type: 'string' },
              message: { type: 'string' },
              details: { type: 'object' },
            },
          },
        },
      },
    },
  },
  paths: {
    '/spaces/{space}/messages': {
      post: {
        summary: 'Send one message. Answers when it is durable.',
        parameters: [space],
        requestBody: { required: true, content: json({ type: 'object' }) },
        responses: { 200: answer('Accepted, a duplicate, or too late to matter.'), default: refused },
      },
    },
    '/spaces/{space}/proposals': {
      get: {
        summary: 'Proposals that are pending, running, or ended a short while ago.',
        parameters: [space, { name: 'state', in: 'query', schema: { type: 'string' } }],
        responses: { 200: answer('Proposals, the oldest first.'), default: refused },
      },
    },
    '/spaces/{space}/proposals/{id}': {
      get: {
        summary: 'One proposal with everything that was said about it.',
        parameters: [space, { name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: answer('Its state and its history.'), default: refused },
      },
    },
    '/spaces/{space}/feed': {
      get: {
        summary: 'Messages after a seq; as server-sent events it goes on live.',
        parameters: [space, { name: 'after', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: answer('Messages, and the seq to ask for next.'), default: refused },
      },
    },
    '/healthz': { get: { summary: 'The process runs.', security: [], responses: { 200: answer('ok') } } },
    '/readyz': {
      get: {
        summary: 'Everything is replayed and messages are taken.',
        security: [],
        responses: { 200: answer('ready'), 503: answer('not ready') },
      },
    },
    '/metrics': {
      get: { summary: 'Prometheus metrics.', security: [], responses: { 200: { description: 'text' } } },
    },
  },
};
