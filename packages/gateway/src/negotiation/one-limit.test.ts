import type { JsonObject } from '@proffer/core/json';
import { encodePayload } from '@proffer/wire';
import { describe, expect, it } from 'vitest';
import { macpEnvelope, openTable, postEnvelope } from '../testing/macp.js';
import { ask } from '../testing/peers/http.js';
import { closedConfig } from '../testing/strangers.js';
import { startTestGateway } from '../testing/test-gateway.js';

const LIMIT = 100_000;
const KIND = { mode: 'macp.mode.proposal.v1', message_type: 'Proposal' };

/** A proposal whose payload has this many bytes on the wire. */
function proposalOf(bytes: number, proposal_id: string, padding: (bytes: number) => JsonObject): JsonObject {
  const whole = (length: number): JsonObject => ({
    proposal_id,
    title: '',
    summary: '',
    details: '',
    tags: [],
    ...padding(length),
  });
  const around = encodePayload(KIND, whole(bytes - 1_000)).length - (bytes - 1_000);
  return whole(bytes - around);
}

describe('N-3: payload limit over JSON', () => {
  it.each([
    ['details in base64', (bytes: number) => ({ details: Buffer.alloc(bytes).toString('base64') })],
    ['text that JSON has to escape', (bytes: number) => ({ summary: '"'.repeat(bytes) })],
    [
      'text of several bytes a character',
      (bytes: number) => ({ title: `${'x'.repeat(bytes % 3)}${'€'.repeat(Math.floor(bytes / 3))}` }),
    ],
  ])('counts the bytes on the wire: %s', async (_, padding) => {
    await using server = await startTestGateway(`dev: true\nlimits: { negotiation_payload_size: ${LIMIT} }`);
    const table = openTable(server.http);
    await table.start('buyer');
    const largest = proposalOf(LIMIT, 'p1', padding);
    expect(encodePayload(KIND, largest)).toHaveLength(LIMIT);
    expect(await table.send('buyer', 'Proposal', largest)).toMatchObject({ ok: true });
    const larger = await table.send('buyer', 'Proposal', proposalOf(LIMIT + 1, 'p2', padding));
    expect(larger).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    const { payload: __, ...bare } = macpEnvelope(table.id, 'buyer', 'Proposal', {});
    const bytes = encodePayload(KIND, proposalOf(LIMIT, 'p3', padding));
    const encoded = { ...bare, payload_b64: Buffer.from(bytes).toString('base64') };
    expect(await postEnvelope(server.http, 'buyer', JSON.stringify(encoded))).toMatchObject({ ok: true });
  });
});

describe('HTTP input', () => {
  it.each([
    ['{"reason":5}', 'reason'],
    ['[]', ''],
    ['"because"', ''],
  ])('N-4: %s is not a valid body for suspending, resuming or cancelling', async (body, field) => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    for (const action of ['suspend', 'resume', 'cancel']) {
      const url = `${server.http}/macp/session/${table.id}/${action}`;
      const answer = await ask(url, 'buyer', { method: 'POST', body });
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_ENVELOPE' });
      expect(answer.body).toMatchObject({ error: { details: { field } } });
    }
    expect(await table.state('buyer')).toBe('OPEN');
    const bare = await ask(`${server.http}/macp/session/${table.id}/cancel`, 'buyer', { method: 'POST' });
    expect(bare.status).toBe(200);
  });

  it('N-3: tells a sender with too many open sessions to end one, without a made-up retry time', async () => {
    await using server = await startTestGateway(closedConfig({ buyer: 'max_open_sessions: 1' }));
    await openTable(server.http).start('buyer', {}, 'token-of-buyer');
    const refused = await openTable(server.http).start('buyer', {}, 'token-of-buyer');
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    const { message, details } = refused.body['error'] as { message: string; details: JsonObject };
    expect(message).toContain('End one of them first');
    expect(message).not.toContain('retry_after_ms');
    expect(details).toEqual({ limit: 1, open: 1 });
  });

  it('N-3: all participants together may start and have a limited number of sessions', async () => {
    const people = Object.fromEntries(['ann', 'bob', 'eve'].map((name) => [name, '']));
    const limited = (limits: string) => `${closedConfig(people)}\nlimits: { ${limits} }`;
    const startAs = (http: string, name: string) => openTable(http).start(name, {}, `token-of-${name}`);
    await using few = await startTestGateway(limited('open_sessions: 2'));
    expect(await startAs(few.http, 'ann')).toMatchObject({ ok: true });
    expect(await startAs(few.http, 'bob')).toMatchObject({ ok: true });
    const third = await startAs(few.http, 'eve');
    expect(third).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(third.body['error']).toMatchObject({ details: { limit: 2, open: 2 } });

    await using slow = await startTestGateway(limited('session_starts: 2/h'));
    expect(await startAs(slow.http, 'ann')).toMatchObject({ ok: true });
    expect(await startAs(slow.http, 'bob')).toMatchObject({ ok: true });
    expect(await startAs(slow.http, 'eve')).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });
});
