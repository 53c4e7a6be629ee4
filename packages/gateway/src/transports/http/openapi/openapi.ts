import { REFUSALS } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import { VERSION } from '../../../version.js';
import { ACTION_OPERATIONS, GRANTED } from '../actions/index.js';
import { MACP_OPERATIONS, MACP_UPGRADE } from './macp.js';
import { EVIDENCE_OPERATIONS, OWN_OPERATIONS } from './own.js';
import { answer, pathsOf } from './parts.js';
import { PROPOSAL } from './proposal-schema.js';
import { RULES_OPERATIONS } from './rules.js';

/** A refusal of most routes. */
const problem: JsonObject = {
  description: 'Refused, with a stable code, a message and details.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
/** A refusal of the MACP routes. */
const refusal = answer('Refused, with a stable code, a message and details.', {
  $ref: '#/components/schemas/Refusal',
});

/** The OpenAPI description of the HTTP routes. */
export const OPENAPI: JsonObject = {
  openapi: '3.1.0',
  info: {
    title: 'Proffer gateway',
    version: VERSION,
    description:
      'Operations that are proposed, decided and run once; MACP negotiations. Live messages: WebSocket at /ws. Reads count against the message rate; too many are refused with 429 and retry-after.',
  },
  security: [{ bearer: [] }],
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Proposal: PROPOSAL,
      Grant: GRANTED,
      Problem: {
        type: 'object',
        description: 'A refusal, as RFC 9457 describes it. Programs should check `code`.',
        required: ['type', 'title', 'status', 'detail', 'code', 'retryable', 'details'],
        properties: {
          type: { type: 'string', description: 'A link to the description of the code.' },
          title: { type: 'string' },
          status: { type: 'integer' },
          detail: { type: 'string', description: 'What happened, to what, and what to do next.' },
          code: { enum: Object.keys(REFUSALS) },
          retryable: {
            type: 'boolean',
            description: 'Whether the same message may be accepted if it is sent again.',
          },
          details: { type: 'object', description: 'The same details, for programs.' },
        },
      },
      Refusal: {
        type: 'object',
        description: 'A refusal on the MACP routes.',
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
    'x-codes': Object.fromEntries(
      Object.entries(REFUSALS).map(([code, { http, advice, retryable }]) => [
        code,
        { status: http, advice, retryable },
      ]),
    ),
  },
  paths: {
    ...pathsOf(
      { ...OWN_OPERATIONS, ...EVIDENCE_OPERATIONS, ...ACTION_OPERATIONS, ...RULES_OPERATIONS },
      problem,
    ),
    ...pathsOf({ ...MACP_OPERATIONS, ...MACP_UPGRADE }, refusal),
  },
};
