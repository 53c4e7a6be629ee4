import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../json/json.js';
import type { Envelope } from '../envelope.js';

/** Ids and names, including characters with a meaning in kinds and patterns. */
export const identifier: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('agent', 'prop-123', 'p-1'),
  fc.string({ unit: fc.constantFrom(...Array.from('aZ9-_:./*éß日🐈')), minLength: 1, maxLength: 12 }),
);

const ids = fc.uniqueArray(identifier, { minLength: 1, maxLength: 3 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => value as JsonValue);
// The unknown fields include names with a meaning in one of the dialects.
const unknownFields = fc.dictionary(
  fc.constantFrom('note', 'preferred', 'proposalId', 'proposal_id', 'correlation_id', 'kind'),
  json,
  { maxKeys: 2, noNullPrototype: true },
);
const time = fc.constantFrom('2026-01-31T12:00:00Z', '2024-02-29T23:59:59.5+05:30', '1990-12-31T23:59:60Z');

const frame = fc.record(
  {
    protocol: fc.constant('mcpx/v0.1'),
    id: identifier,
    ts: time,
    from: fc.constant('agent'),
    to: ids,
    context: fc.string({ maxLength: 8 }),
  },
  { requiredKeys: ['protocol', 'id', 'ts', 'from'], noNullPrototype: true },
);

const operation = fc.oneof(
  fc
    .tuple(fc.constantFrom('tools/call', 'prompts/get'), identifier)
    .map(([method, name]) => ({ method, name, params: { name } })),
  identifier.map((uri) => ({ method: 'resources/read', name: uri, params: { uri } })),
  fc
    .constantFrom('tools/list', 'notifications/cancelled', 'x.y/z')
    .map((method) => ({ method, name: undefined, params: {} })),
);

const targeting = fc.record(
  { preferred: ids, exclusive: fc.constant(false), quick_reject: fc.boolean() },
  { requiredKeys: [], noNullPrototype: true },
);

interface Content {
  readonly kind: string;
  readonly payload: JsonObject;
  readonly correlationId?: JsonValue;
}

function asked(verb: 'request' | 'proposal', more: fc.Arbitrary<JsonObject>): fc.Arbitrary<Content> {
  return fc
    .tuple(operation, fc.boolean(), more, unknownFields)
    .map(([{ method, name, params }, named, extra, unknown]) => ({
      kind: `mcp.${verb}.${method}${named && name !== undefined ? `:${name}` : ''}`,
      payload: { ...unknown, ...extra, method, params },
    }));
}

const correlated = (kinds: readonly string[], payload: JsonObject, correlationId: fc.Arbitrary<JsonValue>) =>
  fc.tuple(fc.constantFrom(...kinds), unknownFields, correlationId).map(
    ([kind, unknown, about]): Content => ({
      kind,
      payload: { ...unknown, ...payload },
      correlationId: about,
    }),
  );

const one = fc.oneof(
  identifier,
  identifier.map((id) => [id]),
);
const any = fc.oneof(one, ids);

const content: fc.Arbitrary<Content> = fc.oneof(
  asked('request', fc.constant({})),
  asked(
    'proposal',
    fc.record({ ttl: fc.integer({ min: 1 }), targeting }, { requiredKeys: [], noNullPrototype: true }),
  ),
  correlated(['mcp.response', 'mcp.response.tools/call', 'mcp.response.tools/call:a:b'], { result: {} }, one),
  correlated(['mcpx.withdraw.proposal'], {}, any),
  correlated(['mcpx.reject.proposal'], { reason: 'busy' }, one),
  correlated(['mcpx.status.proposal'], { status: 'queued' }, one),
  correlated(['mcpx.counter.proposal'], { params: {}, reason: 'safer' }, one),
  correlated(['mcpx.accept.counter'], {}, one),
  correlated(['mcpx.grant.capability'], { to: 'a', capabilities: ['chat.*'] }, one),
  correlated(['mcpx.revoke.capability'], { reason: 'over' }, one),
  correlated(['chat.message'], { text: 'hello' }, any),
  correlated(['chat.acknowledge', 'reasoning.start', 'participant.request-status', 'a.b.c.d/e:f:g'], {}, any),
  fc.constant({ kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'a' }] } }),
);

/** Envelopes of every kind, as {@link readMessage} makes them from what `agent` sends. */
export const envelope: fc.Arbitrary<Envelope> = fc
  .tuple(frame, content)
  .map(([outside, inside]) => Object.assign({}, outside, inside) as Envelope);
