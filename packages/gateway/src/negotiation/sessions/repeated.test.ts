import { describe, expect, it } from 'vitest';
import { openTable } from '../../testing/macp.js';
import { startTestGateway } from '../../testing/test-gateway.js';

describe('repeated message', () => {
  it('N-6: with an id that another sender used first is not dropped', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    await table.propose('buyer', 'p1');
    const first = { message_id: 'm1' };
    expect(await table.send('buyer', 'Accept', { proposal_id: 'p1' }, first)).toMatchObject({ ok: true });
    const rejection = { proposal_id: 'p1', terminal: true, reason: 'no' };
    const taken = await table.send('seller', 'Reject', rejection, first);
    expect(taken).toMatchObject({ ok: false, duplicate: false, status: 400, code: 'INVALID_ENVELOPE' });
    expect(taken.body['error']).toMatchObject({ details: { field: 'message_id' } });
    const own = { message_id: 'm2' };
    expect(await table.send('seller', 'Reject', rejection, own)).toMatchObject({ ok: true, sequence: 4 });
    const again = await table.send('seller', 'Reject', rejection, own);
    expect(again).toMatchObject({ ok: true, duplicate: true, sequence: 4 });
  });

  it('N-4: a resolved session cannot be cancelled, and a cancelled one may be cancelled again', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    await table.propose('buyer', 'p1');
    await table.accept('seller', 'p1');
    await table.commit('buyer');
    const late = await table.control('buyer', 'cancel');
    expect(late).toMatchObject({ ok: false, status: 409, code: 'SESSION_NOT_OPEN', state: 'RESOLVED' });
    const other = openTable(server.http);
    await other.start('buyer');
    expect(await other.control('seller', 'cancel')).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await other.control('buyer', 'cancel')).toMatchObject({ ok: true, state: 'CANCELLED' });
    expect(await other.control('buyer', 'cancel')).toMatchObject({ ok: true, state: 'CANCELLED' });
  });

  it('N-1: a message without a time is recorded with the time of acceptance', async () => {
    const now = 1_800_000_000_000;
    await using server = await startTestGateway(undefined, undefined, () => now);
    const table = openTable(server.http);
    const untimed = {
      intent: 'i',
      participants: ['buyer'],
      mode_version: '1.0.0',
      configuration_version: '1',
    };
    await table.send('buyer', 'SessionStart', { ...untimed, ttl_ms: 60_000 }, { timestamp: null });
    const [start] = await table.envelopes('buyer');
    expect(start).toMatchObject({ envelope: { timestamp: new Date(now).toISOString() } });
  });
});
