import type { JsonObject } from '@proffer/core/json';
import { answer, EVIDENCE_FILE, FORM, json, KEPT, type Operation, type Operations, query } from './parts.js';

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

function control(summary: string): Operation {
  const schema = { type: 'object', properties: { reason: { type: 'string' } } };
  return { summary, requestBody: { content: json(schema) }, responses: acknowledged };
}

/** The routes of negotiations. */
export const MACP_OPERATIONS = {
  'GET /.well-known/macp.json': {
    summary: 'What is served, and where.',
    isOpen: true,
    responses: { 200: answer('A manifest.') },
  },
  'POST /macp/v1/{method}': {
    summary:
      'Call a method of MACPRuntimeService, such as Send or GetSession, in the JSON mapping of its messages (RFC-MACP-0006, section 4). StreamSession and the Watch methods answer with server-sent events.',
    requestBody: { required: true, content: json({ type: 'object' }) },
    responses: {
      200: answer('The response message. A refused envelope is in its Ack.'),
      default: answer('Refused; the code is also in the header MACP-Error-Code.', {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message', 'session_id', 'message_id', 'details'],
            properties: {
              code: { type: 'string' },
              message: { type: 'string' },
              session_id: { type: 'string' },
              message_id: { type: 'string' },
              details: { type: 'string', description: 'JSON in base64.' },
            },
          },
        },
      }),
    },
  },
  'POST /macp/envelope': {
    summary: 'Send one envelope. The answer comes once the envelope is stored durably.',
    requestBody: { required: true, content: json(envelope) },
    responses: acknowledged,
  },
  'GET /macp/sessions': {
    summary:
      'The sessions that the caller may read and that are open; as server-sent events, what happens to them. With any of the parameters, a page of everything that the journal holds, the newest first, with who ended a session and why.',
    parameters: [
      query('state', 'All, or only those that ended.', { enum: ['all', 'ended'] }),
      query('id', 'A prefix of the ids.', { type: 'string' }),
      query('limit', 'The maximum number.', { type: 'integer', minimum: 1, maximum: 500 }),
      query('before', 'The `next` of the previous page.', { type: 'integer' }),
    ],
    responses: { 200: answer('Sessions, and for a page, where the `next` one begins.') },
  },
  'GET /macp/session/{id}': {
    summary: 'What is known about a session, with the rules that it keeps.',
    responses: { 200: answer('Its metadata.') },
  },
  'GET /macp/session/{id}/envelopes': {
    summary: 'Accepted envelopes after a sequence number; as server-sent events it continues live.',
    parameters: [after],
    responses: { 200: answer('Envelopes, and the number to ask for next.') },
  },
  'GET /macp/session/{id}/evidence': {
    summary: 'A file that shows others how a session went, with proofs from the signed log, and its receipt.',
    parameters: [KEPT, FORM],
    responses: { 200: EVIDENCE_FILE },
  },
  'POST /macp/session/{id}/cancel': control('End a session without an outcome.'),
  'POST /macp/session/{id}/suspend': control('Suspend a session; its clock stops.'),
  'POST /macp/session/{id}/resume': control('Resume a suspended session.'),
  'GET /macp/signals': {
    summary: 'Signals as they are sent, as server-sent events.',
    responses: { 200: { description: 'A stream.' } },
  },
  'GET /macp/policies': {
    summary: 'The policies that a session may name; as server-sent events, again when they change.',
    parameters: [query('mode', 'Only those for this mode.', { type: 'string' })],
    responses: { 200: answer('Descriptors.') },
  },
  'POST /macp/policies': {
    summary: 'Register a policy. A registered policy never changes.',
    requestBody: { required: true, content: json({ type: 'object' }) },
    responses: { 200: answer('The descriptor.') },
  },
  'GET /macp/policies/{id}': {
    summary: 'One policy that new sessions may name.',
    responses: { 200: answer('The descriptor.') },
  },
  'DELETE /macp/policies/{id}': {
    summary: 'Unregister a policy; sessions keep the rules that they began with.',
    responses: { 200: answer('ok') },
  },
  'GET /macp/modes': {
    summary: 'The supported modes.',
    isOpen: true,
    responses: { 200: answer('Descriptors.') },
  },
} satisfies Operations;

/** What is not a route, because the server upgrades it. */
export const MACP_UPGRADE: Operations = {
  'GET /macp/ws': {
    summary:
      'A WebSocket, with the token in the header or, from browsers, in a subprotocol as at /ws. Sent: an envelope, answered with { ack } about its message_id; { subscribe_session_id, after_sequence }, answered with { sequence, accepted_at_unix_ms, envelope } for each that was and is accepted after that; { unsubscribe_session_id }. An invalid frame is answered with { error }, and the connection stays open.',
    responses: { 101: { description: 'A WebSocket.' } },
  },
};
