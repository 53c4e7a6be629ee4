import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@proffer/core/json';
import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { journalWith } from '../testing/journals.js';
import { type MacpTable, macpEnvelope, openTable, postEnvelope, startPayload } from '../testing/macp.js';
import { ask } from '../testing/peers/http.js';
import { closedConfig } from '../testing/strangers.js';
import { startTestGateway } from '../testing/test-gateway.js';

type Try = (
  table: MacpTable,
  http: string,
) => Promise<{ readonly status: number; readonly code: string | undefined }>;

const CASES: readonly (readonly [title: string, status: number, code: string, attempt: Try])[] = [
  [
    'N-7: no token',
    401,
    'UNAUTHENTICATED',
    ({ id }, http) => postEnvelope(http, undefined, JSON.stringify(macpEnvelope(id, 'buyer', 'Accept', {}))),
  ],
  [
    'N-7: the runtime’s own name',
    401,
    'UNAUTHENTICATED',
    (table) => table.send('_runtime', 'Accept', { proposal_id: 'p1' }, {}, 'buyer'),
  ],
  ['not a participant', 403, 'FORBIDDEN', (table) => table.propose('mallory', 'p9')],
  ['not the initiator', 403, 'FORBIDDEN', (table) => table.commit('seller')],
  [
    'a session that nobody started',
    404,
    'SESSION_NOT_FOUND',
    (_, http) => openTable(http).propose('buyer', 'p1'),
  ],
  [
    'N-2: a second start, with another message id',
    409,
    'SESSION_ALREADY_EXISTS',
    (table) => table.start('buyer'),
  ],
  [
    'N-2: an id in capitals',
    400,
    'INVALID_SESSION_ID',
    (_, http) => openTable(http, randomUUID().toUpperCase()).start('buyer'),
  ],
  ['N-2: a short id', 400, 'INVALID_SESSION_ID', (_, http) => openTable(http, 'short').start('buyer')],
  [
    'N-3: another version of the protocol',
    400,
    'UNSUPPORTED_PROTOCOL_VERSION',
    (table) => table.send('buyer', 'Proposal', { proposal_id: 'p2' }, { macp_version: '2.0' }),
  ],
  [
    'N-3: another mode',
    400,
    'MODE_NOT_SUPPORTED',
    (table) => table.send('buyer', 'Proposal', { proposal_id: 'p2' }, { mode: 'macp.mode.vote.v1' }),
  ],
  [
    'N-3: another version of the mode',
    400,
    'MODE_NOT_SUPPORTED',
    (_, http) => openTable(http).start('buyer', { mode_version: '9.0.0' }),
  ],
  [
    'N-3: a payload over the limit',
    413,
    'PAYLOAD_TOO_LARGE',
    (table) => table.send('buyer', 'Proposal', { proposal_id: 'p2', summary: 'x'.repeat(1_048_576) }),
  ],
  [
    'N-3: a body far over the limit',
    413,
    'PAYLOAD_TOO_LARGE',
    (table) => table.send('buyer', 'Proposal', { proposal_id: 'p2', summary: 'x'.repeat(4_000_000) }),
  ],
  ['a proposal id twice', 400, 'INVALID_ENVELOPE', (table) => table.propose('seller', 'p1')],
  [
    'a counter-proposal of nothing',
    400,
    'INVALID_ENVELOPE',
    (table) => table.send('buyer', 'CounterProposal', { proposal_id: 'p2', supersedes_proposal_id: 'p0' }),
  ],
  ['too early to commit', 400, 'INVALID_ENVELOPE', (table) => table.commit('buyer')],
  [
    'N-1: no participants',
    400,
    'INVALID_ENVELOPE',
    (_, http) => openTable(http).start('buyer', { participants: [] }),
  ],
  [
    'N-1: a life of no length',
    400,
    'INVALID_ENVELOPE',
    (_, http) => openTable(http).start('buyer', { ttl_ms: 0 }),
  ],
  ['text that is not JSON', 400, 'INVALID_ENVELOPE', (_, http) => postEnvelope(http, 'buyer', '{')],
  ['JSON that is no envelope', 400, 'INVALID_ENVELOPE', (_, http) => postEnvelope(http, 'buyer', '[]')],
  [
    'a time that is none',
    400,
    'INVALID_ENVELOPE',
    (table) => table.send('buyer', 'Proposal', { proposal_id: 'p2' }, { timestamp: 'yesterday' }),
  ],
  [
    'bytes that are not the payload',
    400,
    'INVALID_ENVELOPE',
    ({ id }, http) => {
      const { payload: _, ...bare } = macpEnvelope(id, 'buyer', 'Proposal', {});
      return postEnvelope(http, 'buyer', JSON.stringify({ ...bare, payload_b64: '/////w==' }));
    },
  ],
  [
    'N-13: an unknown policy',
    404,
    'UNKNOWN_POLICY_VERSION',
    (_, http) => openTable(http).start('buyer', { policy_version: 'policy.none' }),
  ],
  [
    'N-13: a definition with an unknown key',
    400,
    'INVALID_POLICY_DEFINITION',
    (_, http) => register(http, { policy_id: 'policy.bad', rules: '{"acceptence":{}}' }),
  ],
  [
    'N-13: a built-in policy',
    400,
    'INVALID_POLICY_DEFINITION',
    (_, http) => register(http, { policy_id: 'policy.default', rules: '{}' }),
  ],
];

function register(http: string, change: JsonObject) {
  const body = JSON.stringify({
    mode: 'macp.mode.proposal.v1',
    description: '',
    schema_version: 1,
    ...change,
  });
  return ask(`${http}/macp/policies`, 'reviewer', { method: 'POST', body });
}

describe('refusals over HTTP', () => {
  it.each(CASES)('%s: %d %s', async (_, status, code, attempt) => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    await table.propose('seller', 'p1');
    expect(await attempt(table, server.http)).toMatchObject({ status, code });
    // I-5: no trace: the next message has the next number, and nothing else exists.
    expect(await table.propose('buyer', 'next')).toMatchObject({ ok: true, sequence: 3 });
  });

  it('N-10, N-13: an outcome that the rules refuse is POLICY_DENIED, with reasons', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    await table.propose('seller', 'p1');
    await table.send('buyer', 'Reject', { proposal_id: 'p1', terminal: true });
    const denied = await table.commit('buyer');
    expect(denied).toMatchObject({ status: 403, code: 'POLICY_DENIED' });
    expect(denied.body).toMatchObject({
      error: { details: { reasons: [expect.any(String), expect.any(String)] } },
    });
    expect(await table.propose('seller', 'p2')).toMatchObject({ status: 409, code: 'SESSION_NOT_OPEN' });
    expect(await table.commit('buyer', { outcome_positive: false })).toMatchObject({ state: 'RESOLVED' });
    expect(await table.propose('seller', 'p3')).toMatchObject({
      code: 'SESSION_NOT_OPEN',
      state: 'RESOLVED',
    });
  });

  it('N-3: too many messages, starts or open sessions are RATE_LIMITED, with a retry time', async () => {
    const limits =
      'limits: { negotiation_messages_per_participant: 3/min, session_starts_per_participant: 1/min }';
    await using server = await startTestGateway(
      closedConfig({ buyer: 'max_open_sessions: 1', seller: '', keen: 'max_open_sessions: 0' }, limits),
    );
    const table = openTable(server.http);
    expect(await table.start('buyer', {}, 'token-of-buyer')).toMatchObject({ ok: true });
    const again = await openTable(server.http).start('buyer', {}, 'token-of-buyer');
    expect(again).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
    const keen = await openTable(server.http).start('keen', {}, 'token-of-keen');
    expect(keen).toMatchObject({ status: 429, body: { error: { details: { limit: 0, open: 0 } } } });
    for (const id of ['p1', 'p2', 'p3']) {
      const sent = await table.send('seller', 'Proposal', { proposal_id: id }, {}, 'token-of-seller');
      expect(sent.ok).toBe(true);
    }
    const late = await table.send('seller', 'Proposal', { proposal_id: 'p4' }, {}, 'token-of-seller');
    expect(late).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  it('N-7: speaking for another without permission is UNAUTHENTICATED, with permission it works', async () => {
    await using server = await startTestGateway(
      closedConfig({ buyer: '', seller: '', broker: 'act_as: [seller]' }),
    );
    const table = openTable(server.http);
    expect(await table.start('buyer', {}, 'token-of-seller')).toMatchObject({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
    expect(await table.start('buyer', {}, 'token-of-buyer')).toMatchObject({ ok: true });
    const offered = await table.send('seller', 'Proposal', { proposal_id: 'p1' }, {}, 'token-of-broker');
    expect(offered).toMatchObject({ ok: true });
  });

  it('I-5: a failed append is INTERNAL_ERROR, leaves no trace, and can be retried', async () => {
    const journal = createMemoryJournal();
    let broken = false;
    const failing = journalWith(journal, {
      append: (stream, version, contents) =>
        broken
          ? Promise.resolve({ status: 'unavailable', refusal: UNAVAILABLE })
          : journal.append(stream, version, contents),
    });
    await using server = await startTestGateway('dev: true', failing);
    const table = openTable(server.http);
    await table.start('buyer');
    broken = true;
    const offer = macpEnvelope(table.id, 'seller', 'Proposal', { proposal_id: 'p1' });
    const sent = await Promise.all(
      [1, 2, 3].map(() => postEnvelope(server.http, 'seller', JSON.stringify(offer))),
    );
    for (const ack of sent) expect(ack).toMatchObject({ status: 503, code: 'INTERNAL_ERROR' });
    broken = false;
    expect(await postEnvelope(server.http, 'seller', JSON.stringify(offer))).toMatchObject({
      ok: true,
      duplicate: false,
      sequence: 2,
    });
  });
});

const UNAVAILABLE = { code: 'unavailable', message: 'The disk is full.', details: {} } as const;

describe('repeated messages', () => {
  it('N-6: a repeated message id is a duplicate with the first answer, also when the session has ended', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    const offer = JSON.stringify(macpEnvelope(table.id, 'seller', 'Proposal', { proposal_id: 'p1' }));
    const [first, ...others] = await Promise.all(
      Array.from({ length: 8 }, () => postEnvelope(server.http, 'seller', offer)),
    );
    const all = [first, ...others];
    expect(all.filter((ack) => ack?.duplicate === false)).toHaveLength(1);
    expect(new Set(all.map((ack) => ack?.body['accepted_at_unix_ms'])).size).toBe(1);
    for (const ack of all) expect(ack).toMatchObject({ status: 200, ok: true, sequence: 2 });
    await table.control('buyer', 'cancel');
    expect(await postEnvelope(server.http, 'seller', offer)).toMatchObject({
      ok: true,
      duplicate: true,
      sequence: 2,
      state: 'CANCELLED',
    });
    expect(await table.envelopes('buyer')).toHaveLength(3);
  });

  it('N-1: extensions and roots come back unchanged', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    const extensions = { 'x.one': Buffer.from('anything').toString('base64') };
    await table.start('buyer', { extensions, roots: [{ uri: 'file:///a', name: 'a' }], context_id: 'c' });
    const [first] = await table.envelopes('buyer');
    expect(first).toMatchObject({
      envelope: { payload: { ...startPayload(), extensions, context_id: 'c' } },
    });
  });
});
