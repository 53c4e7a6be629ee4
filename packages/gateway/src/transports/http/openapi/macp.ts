import type { JsonObject } from '@proffer/core/json';
import { answer, json, query } from './parts.js';

const refused = answer('Refused, with a stable code, a message and details.', {
  $ref: '#/components/schemas/Refusal',
});

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const after = query('after', 'The sequence number of the last envelope that was seen.', { type: 'integer' });

const ack = (description: string): JsonObject =>
  answer(description, {
    type: 'object',
    required: ['ok', 'duplicate', 'message_id', 'session_id', 'accepted_at_unix_ms', 'session_state'],
    properties: {
      ok: { type: 'boolean' },
      duplicate: { type: 'boolean' },
      message_id: { type: 'string' },
      session_id: { type: 'string' },
      accepted_at_unix_ms: { type: 'integer' },
      session_state: { type: 'string' },
      sequence: { type: 'integer' },
      error: { type: 'object' },
    },
  });

const acknowledged = { 200: ack('Accepted, now or before.'), default: ack('Refused: ok is false.') };

const envelope = {
  type: 'object',
  required: ['macp_version', 'mode', 'message_type', 'message_id', 'session_id', 'sender'],
  properties: {
    macp_version: { const: '1.0' },
    mode: { type: 'string' },
    message_type: { type: 'string' },
    message_id: { type: 'string' },
    session_id: { type: 'string' },
    sender: { type: 'string' },
    timestamp: { type: 'string', format: 'date-time' },
    payload: { type: 'object' },
    payload_b64: { type: 'string', description: 'The payload as protobuf bytes, instead of `payload`.' },
  },
};

function control(summary: string): JsonObject {
  const schema = { type: 'object', properties: { reason: { type: 'string' } } };
  return {
    post: { summary, parameters: [id], requestBody: { content: json(schema) }, responses: acknowledged },
  };
}

/** The routes of the negotiation plane. */
export const MACP_PATHS: JsonObject = {
  '/.well-known/macp.json': {
    get: { summary: 'What is served, and where.', security: [], responses: { 200: answer('A manifest.') } },
  },
  '/macp/envelope': {
    post: {
      summary: 'Send one envelope. Answers when it is durable.',
      requestBody: { required: true, content: json(envelope) },
      responses: acknowledged,
    },
  },
  '/macp/ws': {
    get: {
      summary:
        'A WebSocket, with the token in the header or, from browsers, in a subprotocol as at /ws. Sent: an envelope, answered with { ack } about its message_id; { subscribe_session_id, after_sequence }, answered with { sequence, accepted_at_unix_ms, envelope } for each that was and is accepted after that; { unsubscribe_session_id }. An invalid frame is answered with { error }, and the connection stays open.',
      responses: { 101: { description: 'A WebSocket.' }, default: refused },
    },
  },
  '/macp/sessions': {
    get: {
      summary:
        'The sessions that the caller may read and that are open; as server-sent events, what happens to them. With any of the parameters, a page of everything that the journal holds, the newest first, with who ended a session and why.',
      parameters: [
        query('state', 'All, or only those that ended.', { enum: ['all', 'ended'] }),
        query('id', 'A prefix of the ids.', { type: 'string' }),
        query('limit', 'The maximum number.', { type: 'integer', minimum: 1, maximum: 500 }),
        query('before', 'The `next` of the previous page.', { type: 'integer' }),
      ],
      responses: { 200: answer('Sessions, and for a page, where the `next` one begins.'), default: refused },
    },
  },
  '/macp/session/{id}': {
    get: {
      summary: 'What is known about a session, with the rules that it keeps.',
      parameters: [id],
      responses: { 200: answer('Its metadata.'), default: refused },
    },
  },
  '/macp/session/{id}/envelopes': {
    get: {
      summary: 'Accepted envelopes after a sequence number; as server-sent events it continues live.',
      parameters: [id, after],
      responses: { 200: answer('Envelopes, and the number to ask for next.'), default: refused },
    },
  },
  '/macp/session/{id}/cancel': control('End a session without an outcome.'),
  '/macp/session/{id}/suspend': control('Suspend a session; its clock stops.'),
  '/macp/session/{id}/resume': control('Resume a suspended session.'),
  '/macp/signals': {
    get: {
      summary: 'Signals as they are sent, as server-sent events.',
      responses: { 200: { description: 'A stream.' }, default: refused },
    },
  },
  '/macp/policies': {
    get: {
      summary: 'The policies that a session may name; as server-sent events, again when they change.',
      parameters: [query('mode', 'Only those for this mode.', { type: 'string' })],
      responses: { 200: answer('Descriptors.'), default: refused },
    },
    post: {
      summary: 'Register a policy. A registered policy never changes.',
      requestBody: { required: true, content: json({ type: 'object' }) },
      responses: { 200: answer('The descriptor.'), default: refused },
    },
  },
  '/macp/policies/{id}': {
    get: {
      summary: 'One policy that new sessions may name.',
      parameters: [id],
      responses: { 200: answer('The descriptor.'), default: refused },
    },
    delete: {
      summary: 'Unregister a policy; sessions keep the rules that they began with.',
      parameters: [id],
      responses: { 200: answer('ok'), default: refused },
    },
  },
  '/macp/modes': {
    get: {
      summary: 'The supported modes.',
      security: [],
      responses: { 200: answer('Descriptors.'), default: refused },
    },
  },
};
