import type { JsonObject } from '@proffer/core/json';
import { listModes, modeRegistry, servedModes } from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { macpEnvelope, openTable, postEnvelope, startPayload } from '../testing/macp.js';
import { ask } from '../testing/peers/http.js';
import { startTestGateway } from '../testing/test-gateway.js';

describe('negotiation over HTTP', () => {
  it("N-1, N-4, N-7, N-9, N-10: runs the guide's example: counter-offer, two acceptances, commitment", async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    const as = (sender: string, type: string, payload: JsonObject) =>
      table.send(sender, type, payload, {}, 'coordinator');
    const participants = ['coordinator', 'buyer', 'seller'];
    expect(await table.start('coordinator', { participants })).toMatchObject({ status: 200, sequence: 1 });
    await as('seller', 'Proposal', { proposal_id: 'p1', title: 'Standard', summary: '$100k' });
    await as('buyer', 'CounterProposal', {
      proposal_id: 'p2',
      supersedes_proposal_id: 'p1',
      title: 'Better',
    });
    await as('seller', 'Accept', { proposal_id: 'p2', reason: 'terms acceptable' });
    await as('buyer', 'Accept', { proposal_id: 'p2', reason: 'agreed' });
    expect(await table.commit('coordinator')).toMatchObject({ ok: true, state: 'RESOLVED', sequence: 6 });
    expect(await table.state('coordinator')).toBe('RESOLVED');
    const envelopes = await table.envelopes('buyer');
    expect(envelopes.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(envelopes[1]).toMatchObject({
      envelope: {
        message_type: 'Proposal',
        sender: 'seller',
        timestamp: '2026-01-02T03:04:05.678Z',
        payload: { proposal_id: 'p1', title: 'Standard', summary: '$100k', details: '', tags: [] },
      },
    });
  });

  it('N-4: records suspending, resuming and cancelling as envelopes that only the runtime writes', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    expect(await table.control('buyer', 'suspend')).toMatchObject({ ok: true, state: 'SUSPENDED' });
    expect(await table.propose('buyer', 'p1')).toMatchObject({
      code: 'SESSION_NOT_OPEN',
      state: 'SUSPENDED',
    });
    expect(await table.control('buyer', 'resume')).toMatchObject({ ok: true, state: 'OPEN' });
    expect(await table.propose('buyer', 'p1')).toMatchObject({ ok: true });
    expect(await table.control('buyer', 'cancel')).toMatchObject({
      ok: true,
      state: 'CANCELLED',
      sequence: 5,
    });
    expect(await table.control('buyer', 'cancel')).toMatchObject({ ok: true, state: 'CANCELLED' });
    const types = (await table.envelopes('buyer')).map(({ envelope }) => envelope as JsonObject);
    expect(types.map(({ message_type, sender }) => [message_type, sender])).toEqual([
      ['SessionStart', 'buyer'],
      ['SessionSuspend', '_runtime'],
      ['SessionResume', '_runtime'],
      ['Proposal', 'buyer'],
      ['SessionCancel', '_runtime'],
    ]);
  });

  it('N-7: attributes a message without a sender to the owner of the token', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    expect(await table.send('', 'SessionStart', startPayload(), {}, 'buyer')).toMatchObject({ ok: true });
    const { sender: _, ...unsigned } = macpEnvelope(table.id, '', 'Proposal', { proposal_id: 'p1' });
    expect(await postEnvelope(server.http, 'seller', JSON.stringify(unsigned))).toMatchObject({ ok: true });
    const envelopes = await table.envelopes('buyer');
    expect(envelopes.map(({ envelope }) => (envelope as JsonObject)['sender'])).toEqual(['buyer', 'seller']);
  });

  it('tells everyone where and what it serves', async () => {
    await using server = await startTestGateway();
    const { status, body } = await ask(`${server.http}/.well-known/macp.json`, undefined);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      agent_id: 'proffer',
      supported_modes: servedModes().map(({ mode }) => mode),
    });
    const endpoints = JSON.stringify(body['transport_endpoints']);
    expect(endpoints).toContain(`"${server.http}/macp"`);
    expect(endpoints).toContain(`"${server.http.replace('http', 'ws')}/macp/ws"`);
    const modes = await ask(`${server.http}/macp/modes`, 'anybody');
    expect(modes.body).toMatchObject({
      modes: listModes(modeRegistry.initial).map(({ mode, mode_version }) => ({ mode, mode_version })),
    });
  });
});
