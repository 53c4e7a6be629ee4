import { REFUSALS } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import { VERSION } from '../../../version.js';
import { ACTION_PATHS, ANSWER, GRANTED, WAITING } from '../actions/index.js';
import { MACP_PATHS } from './macp.js';
import { answer, json, query, refused, space } from './parts.js';
import { PROPOSAL } from './proposal-schema.js';
import { RULES_PATHS } from './rules.js';

const actionPaths: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  [...ACTION_PATHS].map(([path, post]) => [path, { post }]),
);

const text = { type: 'string' };

/** The answer to a message. */
const SENT: JsonObject = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: text,
    status: { enum: ['accepted', 'duplicate', 'late'] },
    seq: { type: 'integer' },
    outcomes: {
      type: 'array',
      description: 'For a message about several proposals: one for each.',
      items: {
        type: 'object',
        required: ['id', 'proposal', 'status'],
        properties: {
          id: text,
          proposal: text,
          status: { enum: ['accepted', 'duplicate', 'late', 'refused'] },
          seq: { type: 'integer' },
          error: {
            type: 'object',
            properties: { code: text, message: text, details: { type: 'object' } },
          },
        },
      },
    },
  },
};

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
          retryable: { type: 'boolean', description: 'Whether a retry of the same message may be accepted.' },
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
    '/spaces/{space}/messages': {
      post: {
        summary: 'Send one message. Answers when it is durable.',
        parameters: [space],
        requestBody: { required: true, content: json({ type: 'object' }) },
        responses: { 200: answer('Accepted, a duplicate, or too late to matter.', SENT), default: refused },
      },
    },
    ...actionPaths,
    '/spaces/{space}/proposals': {
      ...actionPaths['/spaces/{space}/proposals'],
      get: {
        summary: 'Every proposal in the journal in its current state, oldest first, in pages.',
        parameters: [
          space,
          query('state', 'Only those in this state.', {
            enum: [
              'pending',
              'approved',
              'fulfilled',
              'allowed',
              'settled',
              'withdrawn',
              'expired',
              'declined',
            ],
          }),
          query('proposer', 'Only those of this participant.', { type: 'string' }),
          query('decidedBy', 'Only those that this participant decided.', { type: 'string' }),
          query(
            'since',
            'Only those that changed at this time or later, in milliseconds since 1970, and those that are not over: pending, running, or with an unknown outcome.',
            { type: 'integer', minimum: 0 },
          ),
          query('limit', 'The maximum number.', { type: 'integer', minimum: 1, maximum: 500, default: 500 }),
          query('after', 'The `next` of the previous page.', { type: 'string' }),
        ],
        responses: {
          200: answer('A page. It may be short or even empty: as long as there is a `next`, there is more.', {
            type: 'object',
            required: ['proposals'],
            properties: {
              proposals: { type: 'array', items: { $ref: '#/components/schemas/Proposal' } },
              next: { type: 'string', description: 'What to ask for `after`; absent on the last page.' },
              more: { type: 'integer', description: 'With state=pending: how many follow this page.' },
            },
          }),
          default: refused,
        },
      },
    },
    '/spaces/{space}/proposals/{id}': {
      get: {
        summary: 'One proposal and everything that was said about it.',
        parameters: [
          space,
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          ...WAITING,
        ],
        responses: {
          200: answer('Its state and its history. As `text/event-stream`: its messages, then `outcome`.', {
            type: 'object',
            properties: { ...ANSWER, history: { type: 'array', items: { type: 'object' } } },
          }),
          default: refused,
        },
      },
    },
    '/spaces/{space}/grants': {
      ...actionPaths['/spaces/{space}/grants'],
      get: {
        summary: 'The grants in force in the space, oldest first.',
        parameters: [space],
        responses: {
          200: answer('Where messages are private, only what you granted or were granted.', {
            type: 'object',
            required: ['grants'],
            properties: { grants: { type: 'array', items: { $ref: '#/components/schemas/Grant' } } },
          }),
          default: refused,
        },
      },
    },
    '/spaces/{space}/delegations': {
      get: {
        summary: 'Who delegated their part in all reviews to whom, ordered by end time.',
        parameters: [space],
        responses: {
          200: answer('Where messages are private, only what concerns you.', {
            type: 'object',
            required: ['delegations', 'named'],
            properties: {
              named: {
                type: 'boolean',
                description: 'Whether the review policy names you: otherwise you have no part to hand over.',
              },
              delegations: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['by', 'to', 'until'],
                  properties: {
                    by: { type: 'string' },
                    to: { type: 'string', description: 'Who decides in its place.' },
                    until: { type: 'integer' },
                  },
                },
              },
            },
          }),
          default: refused,
        },
      },
    },
    '/spaces/{space}/feed': {
      get: {
        summary: 'Messages after a seq; as server-sent events it continues live.',
        parameters: [
          space,
          query('after', 'The seq of a message, or `now` for new messages only. Default 0.', {
            type: 'string',
          }),
          query('records', 'Whether each message comes with the journal record it left.', {
            type: 'boolean',
            default: false,
          }),
        ],
        responses: {
          200: answer('Messages, each with the `time` it was accepted, and the seq to ask for next.'),
          default: refused,
        },
      },
    },
    '/sign-in': {
      get: {
        summary: 'How clients can sign in.',
        security: [],
        responses: { 200: answer('Sign-in methods, preferred first.') },
      },
    },
    '/whoami': {
      get: {
        summary: 'The participant the token belongs to, its spaces, and its capabilities there.',
        responses: {
          200: answer('The participant, the credential without its secret, the spaces and capabilities.'),
          default: refused,
        },
      },
    },
    ...RULES_PATHS,
    ...MACP_PATHS,
    '/healthz': {
      get: { summary: 'The process is running.', security: [], responses: { 200: answer('ok') } },
    },
    '/readyz': {
      get: {
        summary:
          'Whether everything is replayed and the journal can be written; if not, `reason` may say why. `warnings`: what an operator should look at.',
        security: [],
        responses: { 200: answer('ready'), 503: answer('not ready') },
      },
    },
    '/metrics': {
      get: { summary: 'Prometheus metrics.', security: [], responses: { 200: { description: 'text' } } },
    },
  },
};
