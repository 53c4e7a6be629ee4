import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/json.js';
import { DIALECTS } from './dialects/detect.js';
import type { DialectName } from './dialects/dialect.js';
import { correlationIds, type Envelope } from './envelope.js';
import { formatKind, parseKind } from './kind.js';
import { encodeEnvelope } from './read.js';
import { envelope, identifier } from './testing/arbitrary-messages.js';
import { accepted } from './testing/reading.js';

const numRuns = process.env['PROFFER_LONG'] === undefined ? 1000 : 20_000;
const dialects = Object.keys(DIALECTS) as DialectName[];

/** What remains of an envelope in a dialect that cannot express all of it, computed without that codec. */
function expressible(whole: Envelope, dialect: DialectName): Envelope {
  if (dialect === 'mew/v0.4') return expressibleInMew(whole);
  return dialect === 'legacy' ? expressibleInLegacy(whole) : whole;
}

function expressibleInMew(whole: Envelope): Envelope {
  const { protocol, operation, method } = parseKind(whole.kind) ?? { protocol: '', operation: '' };
  const [first, ...others] = correlationIds(whole);
  const alone = first !== undefined && others.length === 0 ? { correlationId: first } : {};
  if (protocol !== 'mcp') return { ...whole, ...alone };
  const said =
    operation === 'response' ? { protocol, operation } : { protocol, operation, method: method ?? '' };
  return { ...whole, ...alone, kind: formatKind(said) };
}

function expressibleInLegacy(whole: Envelope): Envelope {
  const { kind, payload } = whole;
  if (kind.startsWith('mcp.proposal.')) {
    const { preferred, ...rest } = payload;
    const [method] = kind.split(':');
    const kept = payload['targeting'] === undefined || preferred === undefined ? rest : payload;
    return { ...whole, kind: method ?? kind, payload: kept };
  }
  const { proposalId, proposal_id, ...rest } = payload;
  const camel = proposalId === undefined ? {} : { proposalId };
  const snake = proposal_id === undefined ? {} : { proposal_id };
  if (kind === 'mcpx.reject.proposal') return { ...whole, payload: { ...rest, ...camel } };
  if (/^mcpx\.(?:withdraw|status)\./.test(kind)) return { ...whole, payload: { ...rest, ...snake } };
  return whole;
}

describe('dialects', () => {
  it.each(dialects)('O-7: what %s can express survives the round trip', (dialect) => {
    fc.assert(
      fc.property(envelope, (whole) => {
        const wire = encodeEnvelope(whole, dialect);
        expect(accepted(wire, { dialect })).toStrictEqual(expressible(whole, dialect));
      }),
      { numRuns },
    );
  });

  it.each(dialects)('O-7: a message in %s is decoded and encoded to the same message', (dialect) => {
    fc.assert(
      fc.property(envelope, (whole) => {
        const wire = encodeEnvelope(whole, dialect);
        expect(encodeEnvelope(accepted(wire, { dialect }), dialect)).toStrictEqual(wire);
      }),
      { numRuns },
    );
  });

  it('O-7: nothing that both dialects can express is lost between them', () => {
    fc.assert(
      fc.property(
        envelope,
        fc.constantFrom(...dialects),
        fc.constantFrom(...dialects),
        (whole, one, other) => {
          const first = accepted(encodeEnvelope(whole, one), { dialect: one });
          const second = accepted(encodeEnvelope(first, other), { dialect: other });
          expect(second).toStrictEqual(expressible(expressible(whole, one), other));
        },
      ),
      { numRuns },
    );
  });

  it('O-7: the dialect is detected from the message itself, or makes no difference', () => {
    fc.assert(
      fc.property(envelope, fc.constantFrom(...dialects), (whole, dialect) => {
        const wire = encodeEnvelope(whole, dialect);
        expect(accepted(wire)).toStrictEqual(accepted(wire, { dialect }));
      }),
      { numRuns },
    );
  });
});

const frame = fc.record(
  {
    id: identifier,
    ts: fc.constant('2026-01-31T12:00:00Z'),
    from: fc.constant('agent'),
    to: fc.uniqueArray(identifier, { maxLength: 3 }),
    context: identifier,
  },
  { requiredKeys: ['id', 'ts', 'from'] },
);
const ids = fc.uniqueArray(identifier, { minLength: 1, maxLength: 3 });
const call = identifier.map((name): JsonObject => ({ method: 'tools/call', params: { name } }));
const answer = fc.constantFrom<JsonObject>({ result: null }, { error: { code: 1, message: 'no' }, id: null });

/** Messages as mew clients write them, made without our codecs. */
const mewMessage = fc
  .tuple(
    frame,
    fc.oneof(
      call.map((payload) => ({ kind: 'mcp/proposal', payload })),
      fc.record({ kind: fc.constant('mcp/request'), payload: call, correlation_id: ids }),
      fc
        .tuple(answer, identifier)
        .map(([payload, id]) => ({ kind: 'mcp/response', payload, correlation_id: [id] })),
      ids.map((about) => ({ kind: 'mcp/withdraw', payload: {}, correlation_id: about })),
      identifier.map((id) => ({ kind: 'mcp/reject', payload: { reason: 'busy' }, correlation_id: [id] })),
      ids.map((about) => ({ kind: 'chat', payload: { text: 'hello' }, correlation_id: about })),
      fc
        .constantFrom('chat/cancel', 'participant/pause', 'stream/close')
        .map((kind) => ({ kind, payload: {} })),
    ),
  )
  .map(([outside, inside]): JsonObject => Object.assign({ protocol: 'mew/v0.4' }, outside, inside));

/** Messages as the older drafts write them. */
const legacyMessage = fc
  .tuple(
    frame,
    fc.oneof(
      fc
        .tuple(call, identifier)
        .map(([payload, preferred]) => ({ kind: 'proposal', payload: { ...payload, preferred } })),
      fc.tuple(call, ids).map(([payload, preferred]) => ({
        kind: 'proposal',
        payload: { ...payload, targeting: { preferred, exclusive: true } },
      })),
      identifier.map((proposalId) => ({
        kind: 'proposal/withdraw',
        payload: { proposalId, reason: 'done' },
      })),
      identifier.map((proposal_id) => ({
        kind: 'proposal-reject',
        payload: { proposal_id, reason: 'busy' },
      })),
      identifier.map((proposalId) => ({
        kind: 'proposal/status',
        payload: { proposalId, status: 'unable' },
      })),
    ),
  )
  .map(([outside, inside]): JsonObject => Object.assign({ protocol: 'mcpx/v0.1' }, outside, inside));

describe('foreign messages', () => {
  it.each([
    ['mew/v0.4' as const, mewMessage],
    ['legacy' as const, legacyMessage],
  ])('O-7: in %s are decoded and encoded to the same message', (dialect, messages) => {
    fc.assert(
      fc.property(messages, (raw) => {
        expect(encodeEnvelope(accepted(raw), dialect)).toStrictEqual(raw);
      }),
      { numRuns },
    );
  });
});
