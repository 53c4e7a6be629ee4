import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { type Envelope, GATEWAY } from '../envelope.js';
import { encodeEnvelope } from '../read.js';
import { accepted, message, refused } from '../testing/reading.js';
import { detectDialect } from './detect.js';
import type { DialectName } from './dialect.js';

const frame = { protocol: 'mcpx/v0.1', id: 'm-1', ts: '2026-01-31T12:00:00Z', from: 'agent' } as const;
const mewFrame = { ...frame, protocol: 'mew/v0.4' };
const call = { method: 'tools/call', params: { name: 'write_file' } };

/** A message in a dialect's own spelling, and its canonical form. */
type Pair = readonly [dialect: DialectName, own: JsonObject, canonical: JsonObject];

const slash = (kind: string, dotted: string, payload: JsonObject, correlation?: string): Pair => [
  'mcpx-slash',
  { ...frame, kind, payload, ...(correlation === undefined ? {} : { correlation_id: correlation }) },
  { ...frame, kind: dotted, payload, ...(correlation === undefined ? {} : { correlationId: correlation }) },
];
const mew = (kind: string, dotted: string, payload: JsonObject, ids: readonly string[] = []): Pair => [
  'mew/v0.4',
  { ...mewFrame, kind, payload, ...(ids.length === 0 ? {} : { correlation_id: ids }) },
  {
    ...frame,
    kind: dotted,
    payload,
    ...(ids.length === 0 ? {} : { correlationId: ids.length === 1 ? ids[0] : ids }),
  },
];
const legacy = (own: JsonObject, canonical: JsonObject): Pair => [
  'legacy',
  { ...frame, ...own },
  { ...frame, ...canonical },
];

const PAIRS: readonly Pair[] = [
  slash('mcp/proposal:tools/call', 'mcp.proposal.tools/call', call),
  slash('mcp/proposal:tools/call:write_file', 'mcp.proposal.tools/call:write_file', call),
  slash('mcp/request:tools/call', 'mcp.request.tools/call', call, 'p-1'),
  slash('mcp/request:resources/read:file:///a:b', 'mcp.request.resources/read:file:///a:b', {
    method: 'resources/read',
    params: { uri: 'file:///a:b' },
  }),
  slash('mcp/response:tools/call', 'mcp.response.tools/call', { result: {} }, 'q-1'),
  slash('mcp/response', 'mcp.response', { result: {} }, 'q-1'),
  slash('mcpx/withdraw:proposal', 'mcpx.withdraw.proposal', {}, 'p-1'),
  slash('mcpx/reject:proposal', 'mcpx.reject.proposal', { reason: 'busy' }, 'p-1'),
  slash('mcpx/status:proposal', 'mcpx.status.proposal', { status: 'queued' }, 'p-1'),
  slash('mcpx/counter:proposal', 'mcpx.counter.proposal', { params: {}, reason: 'safer' }, 'p-1'),
  slash('mcpx/accept:counter', 'mcpx.accept.counter', {}, 'c-1'),
  slash('mcpx/announce:tools', 'mcpx.announce.tools', { tools: [] }),
  slash('chat', 'chat.message', { text: 'hello' }),
  slash('chat/acknowledge', 'chat.acknowledge', {}, 'c-1'),
  slash('reasoning/start', 'reasoning.start', { message: 'hm' }),
  slash('build/run:all.tests:fast:now', 'build.run.all.tests:fast:now', {}),
  mew('mcp/proposal', 'mcp.proposal.tools/call', call),
  mew('mcp/request', 'mcp.request.tools/call', { jsonrpc: '2.0', id: 42, ...call }, ['p-1']),
  mew('mcp/request', 'mcp.request.tools/list', { method: 'tools/list' }, ['p-1', 'p-2']),
  mew('mcp/response', 'mcp.response', { jsonrpc: '2.0', id: 42, result: { content: [] } }, ['q-1']),
  mew('mcp/withdraw', 'mcpx.withdraw.proposal', { reason: 'no_longer_needed' }, ['p-1']),
  mew('mcp/withdraw', 'mcpx.withdraw.proposal', {}, ['p-1', 'p-2']),
  mew('mcp/reject', 'mcpx.reject.proposal', { reason: 'unsafe' }, ['p-1']),
  mew('mcpx/status:proposal', 'mcpx.status.proposal', { status: 'unable' }, ['p-1']),
  mew('mcpx/announce:resources', 'mcpx.announce.resources', { resources: [] }),
  mew('chat', 'chat.message', { text: 'hello', format: 'plain' }, ['r-1']),
  mew('chat/acknowledge', 'chat.acknowledge', { status: 'received' }, ['c-1']),
  mew('participant/request-status', 'participant.request-status', { fields: ['tokens'] }),
  mew('participant/request-status', 'participant.request-status', { fields: ['tokens'] }),
  legacy(
    { kind: 'proposal', payload: { ...call, preferred: 'a' } },
    { kind: 'mcp.proposal.tools/call', payload: { ...call, targeting: { preferred: ['a'] } } },
  ),
  legacy(
    { kind: 'proposal', payload: { ...call, targeting: { preferred: ['a'], exclusive: true } } },
    {
      kind: 'mcp.proposal.tools/call',
      payload: { ...call, targeting: { preferred: ['a'], exclusive: true } },
    },
  ),
  legacy(
    { kind: 'proposal', payload: { ...call, targeting: { preferred: ['a', 'b'] } } },
    { kind: 'mcp.proposal.tools/call', payload: { ...call, targeting: { preferred: ['a', 'b'] } } },
  ),
  legacy(
    { kind: 'proposal', payload: { ...call, preferred: 'b', targeting: { preferred: ['a'] } } },
    {
      kind: 'mcp.proposal.tools/call',
      payload: { ...call, preferred: 'b', targeting: { preferred: ['a'] } },
    },
  ),
  legacy(
    { kind: 'proposal/withdraw', payload: { proposalId: 'p-1', reason: 'done' } },
    { kind: 'mcpx.withdraw.proposal', correlationId: 'p-1', payload: { reason: 'done' } },
  ),
  legacy(
    { kind: 'proposal/withdraw', payload: { proposalId: ['p-1', 'p-2'] } },
    { kind: 'mcpx.withdraw.proposal', correlationId: ['p-1', 'p-2'], payload: {} },
  ),
  legacy(
    { kind: 'proposal-reject', payload: { proposal_id: 'p-1', reason: 'busy' } },
    { kind: 'mcpx.reject.proposal', correlationId: 'p-1', payload: { reason: 'busy' } },
  ),
  legacy(
    { kind: 'proposal/status', payload: { proposalId: 'p-1', status: 'queued' } },
    { kind: 'mcpx.status.proposal', correlationId: 'p-1', payload: { status: 'queued' } },
  ),
  legacy(
    { kind: 'mcp/request:tools/call', correlation_id: 'p-1', payload: call },
    { kind: 'mcp.request.tools/call', correlationId: 'p-1', payload: call },
  ),
];

describe('a dialect', () => {
  it.each(PAIRS)('O-7: %s reads and writes %j', (dialect, own, canonical) => {
    expect(accepted(own, { dialect })).toStrictEqual(canonical);
    expect(encodeEnvelope(canonical as Envelope, dialect)).toStrictEqual(own);
  });

  it.each(PAIRS)('O-7: %s is detected from %j', (dialect, own) => {
    // What legacy shares with the slash form cannot be distinguished, and need not be.
    const shared = dialect === 'legacy' && own['kind'] === 'mcp/request:tools/call';
    expect(detectDialect(own)).toBe(shared ? 'mcpx-slash' : dialect);
  });

  it.each([
    [{ kind: 'mcp.request.tools/call' }, 'mcpx'],
    [{ kind: 'chat.message' }, 'mcpx'],
    [{ kind: 5 }, 'mcpx'],
    [{}, 'mcpx'],
    [{ protocol: 'mew/v0.4' }, 'mew/v0.4'],
    [{ protocol: 'mew/v0.3', kind: 'chat' }, 'mcpx-slash'],
  ])('O-7: %j is treated as %s', (raw: JsonObject, dialect) => {
    expect(detectDialect(raw)).toBe(dialect);
  });
});

describe('a negotiated dialect', () => {
  const hello = message('chat', { text: 'hello' });

  it('O-7: is used without detection', () => {
    expect(refused(hello, { dialect: 'mcpx' }).field).toBe('kind');
    expect(accepted({ ...hello, protocol: undefined }, { dialect: 'mew/v0.4' }).kind).toBe('chat.message');
  });

  it('O-1: does not make another protocol acceptable', () => {
    for (const protocol of ['mew/v0.3', 'mcpx/v0.2', null]) {
      expect(refused({ ...hello, protocol }, { dialect: 'mew/v0.4' }).field).toBe('protocol');
    }
    expect(refused({ ...hello, protocol: 'mew/v0.4' }, { dialect: 'mcpx-slash' }).field).toBe('protocol');
  });
});

describe('a synonym', () => {
  const withdrawal = { ...frame, kind: 'mcpx.withdraw.proposal', correlationId: 'p-1', payload: {} };
  const rejection = {
    ...frame,
    kind: 'mcpx.reject.proposal',
    correlationId: 'p-1',
    payload: { reason: 'busy' },
  };
  const proposal = { ...frame, kind: 'mcp.proposal.tools/call', payload: call };

  it.each<readonly [own: JsonObject, canonical: JsonObject]>([
    [{ ...frame, kind: 'mcp/proposal', payload: call }, proposal],
    [{ ...mewFrame, kind: 'mcp/proposal:tools/call', payload: call }, proposal],
    [{ ...mewFrame, kind: 'mcp.proposal.tools/call', payload: call }, proposal],
    [{ ...mewFrame, kind: 'mcp/proposal', correlation_id: [], payload: call }, proposal],
    [{ ...frame, kind: 'mcp/withdraw', correlation_id: 'p-1', payload: {} }, withdrawal],
    [{ ...frame, kind: 'mcpx/withdraw:proposal', correlationId: 'p-1', payload: {} }, withdrawal],
    [{ ...mewFrame, kind: 'mcp/withdraw', correlation_id: 'p-1', payload: {} }, withdrawal],
    [{ ...mewFrame, kind: 'mcpx/withdraw:proposal', correlationId: ['p-1'], payload: {} }, withdrawal],
    [{ ...frame, kind: 'proposal/withdraw', payload: { proposal_id: 'p-1' } }, withdrawal],
    [{ ...frame, kind: 'proposal/withdraw', correlationId: 'p-1', payload: {} }, withdrawal],
    [{ ...frame, kind: 'proposal/reject', payload: { proposal_id: 'p-1', reason: 'busy' } }, rejection],
    [{ ...frame, kind: 'proposal-reject', payload: { proposalId: 'p-1', reason: 'busy' } }, rejection],
    [{ ...frame, kind: 'proposal-reject', correlation_id: 'p-1', payload: { reason: 'busy' } }, rejection],
    [
      { ...frame, kind: 'proposal', payload: { ...call, preferred: ['a', 'b'] } },
      { ...proposal, payload: { ...call, targeting: { preferred: ['a', 'b'] } } },
    ],
  ])('O-7: %j means the same as in canonical form', (own, canonical) => {
    expect(accepted(own)).toStrictEqual(canonical);
  });
});

describe("the gateway's own messages", () => {
  it.each<readonly [DialectName, JsonObject]>([
    ['mcpx', { kind: 'system.error', correlationId: 'm-9', protocol: 'mcpx/v0.1' }],
    ['mcpx-slash', { kind: 'system/error', correlation_id: 'm-9', protocol: 'mcpx/v0.1' }],
    ['legacy', { kind: 'system/error', correlation_id: 'm-9', protocol: 'mcpx/v0.1' }],
    ['mew/v0.4', { kind: 'system/error', correlation_id: ['m-9'], protocol: 'mew/v0.4' }],
  ])('O-4, O-6: are written in %s, with their seq', (dialect, spelled) => {
    const said = { ...frame, from: GATEWAY, to: ['agent'], payload: { code: 'reserved' } };
    const error: Envelope = { ...said, kind: 'system.error', correlationId: 'm-9' };
    expect(encodeEnvelope(error, dialect, { seq: 12 })).toStrictEqual({ ...said, ...spelled, seq: 12 });
  });
});

describe("the sender's own spelling in a refusal", () => {
  const mcpx = message;
  const inMew = (kind: string, payload: JsonObject, ids?: JsonValue) =>
    mcpx(kind, payload, { protocol: 'mew/v0.4', correlation_id: ids });

  it.each<readonly [raw: JsonObject, code: string, field: string]>([
    [inMew('mcp/withdraw', {}), 'missing_field', 'correlation_id'],
    [inMew('mcp/reject', { reason: 'busy' }, ['a', 5]), 'invalid_field', 'correlation_id[1]'],
    [inMew('mcp/reject', { reason: 'busy' }, [['a']]), 'invalid_field', 'correlation_id[0]'],
    [inMew('mcp/request', {}), 'missing_field', 'payload.method'],
    [inMew('mcp/request', { method: 'tools call' }), 'invalid_field', 'payload.method'],
    [inMew('mcp/request', { method: 'x'.repeat(257) }), 'invalid_field', 'payload.method'],
    [mcpx('mcpx/withdraw:proposal', {}), 'missing_field', 'correlation_id'],
    [mcpx('mcpx/withdraw:proposal', {}, { correlationId: 5 }), 'invalid_field', 'correlationId'],
    [mcpx('mcpx.withdraw.proposal', {}, { correlation_id: 5 }), 'invalid_field', 'correlation_id'],
    [mcpx('proposal/withdraw', {}), 'missing_field', 'payload.proposalId'],
    [mcpx('proposal/withdraw', { proposalId: ['a', 'a'] }), 'invalid_field', 'payload.proposalId[1]'],
    [mcpx('proposal-reject', { reason: 'busy' }), 'missing_field', 'payload.proposal_id'],
    [mcpx('proposal-reject', { reason: 'busy', proposalId: 5 }), 'invalid_field', 'payload.proposalId'],
    [mcpx('proposal-reject', { reason: 'busy' }, { correlation_id: 5 }), 'invalid_field', 'correlation_id'],
    [mcpx('proposal', { ...call, preferred: 5 }), 'invalid_field', 'payload.preferred'],
    [mcpx('proposal', { ...call, preferred: ['a', ''] }), 'invalid_field', 'payload.preferred[1]'],
    [
      mcpx('proposal', { ...call, targeting: { preferred: [''] } }),
      'invalid_field',
      'payload.targeting.preferred[0]',
    ],
    [mcpx('proposal', { params: {} }), 'missing_field', 'payload.method'],
    [mcpx('proposal', 'text' as unknown as JsonObject), 'invalid_field', 'payload'],
    [mcpx('proposal/withdraw', [] as unknown as JsonObject), 'invalid_field', 'payload'],
  ])('O-5: %j is refused with %s at %s', (raw, code, field) => {
    const refusal = refused(raw);
    expect(refusal).toMatchObject({ code, field });
    expect(refusal.message.startsWith(`${field} is `)).toBe(true);
  });
});
