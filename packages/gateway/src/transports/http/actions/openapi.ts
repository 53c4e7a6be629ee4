import type { JsonObject } from '@proffer/core/json';
import { answer, json, type Operation, type Operations, query } from '../openapi/parts.js';
import type { Action } from './action.js';
import { ACTIONS, GRANT, PROPOSE } from './table.js';

const key = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Repeating a request with the same key and body has no second effect. Each participant has its own keys. The key of a proposal is remembered forever, any other for `dedup_window`.',
  schema: { type: 'string', maxLength: 255 },
};

/** How to wait for an answer. */
export const WAITING = [
  query('wait', 'How long to wait for an answer, such as 30s; at most 10m.', { type: 'string' }),
  query('onRejection', 'Whether a rejection ends the wait. The proposal stays pending either way.', {
    enum: ['return', 'wait'],
    default: 'return',
  }),
];

/** A proposal with the answer to it. */
export const ANSWER: JsonObject = {
  proposal: { $ref: '#/components/schemas/Proposal' },
  done: {
    type: 'boolean',
    description:
      'Whether the wait is over: the proposal ended, or someone rejected it or made a counter-offer.',
  },
  response: { type: 'object', description: 'What the operation answered: `result` or `error`.' },
};

const taken = answer('Durable. As `text/event-stream`: its messages, then the event `outcome`.', {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: { type: 'string', description: 'The id of the message.' },
    status: { enum: ['accepted', 'duplicate'] },
    seq: { type: 'integer' },
    key_code: {
      type: 'object',
      description: 'The code with which the participant may register a key, once.',
      properties: {
        status: { const: 'created' },
        participant: { type: 'string' },
        code: { type: 'string' },
        until: { type: 'integer', description: 'Milliseconds since 1970.' },
      },
    },
    ...ANSWER,
  },
});

/** A grant, as listed. */
export const GRANTED: JsonObject = {
  type: 'object',
  required: ['id', 'granter', 'to', 'capabilities', 'at'],
  properties: {
    id: { type: 'string' },
    granter: { type: 'string' },
    to: { type: 'string' },
    capabilities: { type: 'array' },
    until: { type: 'integer', description: 'Milliseconds since 1970.' },
    uses: { type: 'integer' },
    left: { type: 'integer', description: 'How many uses are left.' },
    session: { const: true, description: 'The grant ends when its holder disconnects.' },
    reason: { type: 'string' },
    at: { type: 'integer' },
  },
};

const granted = answer('The grant is durable and in force.', {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: { type: 'string', description: 'The id of the message; for a grant, the id to revoke it by.' },
    status: { enum: ['accepted', 'duplicate'] },
    seq: { type: 'integer' },
    grant: { $ref: '#/components/schemas/Grant' },
  },
});

function describeAction(action: Action): Operation {
  const { summary, fields, required = [] } = action;
  const isOfGrant = action.about === 'grant';
  const isNew = action === PROPOSE || action === GRANT;
  const body = { type: 'object', additionalProperties: false, properties: fields, required };
  return {
    summary,
    parameters: [key, ...(isOfGrant ? [] : WAITING)],
    requestBody: { required: required.length > 0 || action === PROPOSE, content: json(body) },
    responses: { [isNew ? 201 : 200]: isOfGrant ? granted : taken },
  };
}

/** The actions, as routes. */
export const ACTION_OPERATIONS: Operations = Object.fromEntries(
  ACTIONS.map((action) => [`POST /spaces/{space}${action.path}`, describeAction(action)]),
);
