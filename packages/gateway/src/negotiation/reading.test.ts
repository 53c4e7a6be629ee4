import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { loopbackConfig } from '../loopback.js';
import { openTable } from '../testing/macp.js';
import { until } from '../testing/metrics.js';
import { readEvents } from '../testing/peers/event-reader.js';
import { ask } from '../testing/peers/http.js';
import { closedConfig } from '../testing/strangers.js';
import { startTestGateway } from '../testing/test-gateway.js';

const CAST = {
  buyer: '',
  seller: '',
  notary: '',
  auditor: 'is_observer: true',
  mallory: '',
  agent: 'act_as: [seller]',
};
const token = (name: string): string => `token-of-${name}`;

describe('reading a session', () => {
  it('N-8: is for its initiator, participants, those who may speak for them, and observers; for others it does not exist', async () => {
    await using server = await startTestGateway(closedConfig(CAST));
    const table = openTable(server.http);
    await table.start('buyer', { participants: ['seller', 'notary'] }, token('buyer'));
    for (const name of ['buyer', 'seller', 'notary', 'auditor', 'agent']) {
      const { body } = await ask(`${server.http}/macp/sessions`, token(name));
      const listed = body['sessions'] as readonly JsonObject[];
      expect({ name, status: (await table.show(token(name))).status, listed }).toMatchObject({
        name,
        status: 200,
        listed: [{ session_id: table.id }],
      });
    }
    const unknown = openTable(server.http, table.id.replace(/^.{8}/, '00000000'));
    for (const path of ['', '/envelopes']) {
      const hidden = await ask(`${server.http}/macp/session/${table.id}${path}`, token('mallory'));
      const nothing = await ask(`${server.http}/macp/session/${unknown.id}${path}`, token('mallory'));
      expect(hidden).toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND' });
      expect(JSON.stringify(hidden.body).replaceAll(table.id, unknown.id)).toBe(JSON.stringify(nothing.body));
    }
    const stream = await readEvents(`${server.http}/macp/session/${table.id}/envelopes`, token('mallory'));
    expect(stream.status).toBe(404);
    expect((await ask(`${server.http}/macp/sessions`, token('mallory'))).body).toEqual({
      sessions: [],
      more: 0,
    });
    const refused = await table.send('mallory', 'Proposal', { proposal_id: 'p' }, {}, token('mallory'));
    expect(refused).toMatchObject({ code: 'FORBIDDEN', state: 'UNSPECIFIED' });
  });

  it('N-7, N-8: in dev mode everyone speaks for anyone, and reads only what they take part in or started', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    // The desk starts a session for the buyer, as the examples of the guide do.
    await table.start('buyer', {}, 'desk');
    for (const name of ['buyer', 'seller', 'desk', 'reviewer']) {
      const { body } = await ask(`${server.http}/macp/sessions`, name);
      const status = (await table.show(name)).status;
      expect({ name, status, listed: body['sessions'] }).toMatchObject({
        status: 200,
        listed: [{ session_id: table.id }],
      });
    }
    const { body } = await ask(`${server.http}/macp/sessions`, 'mallory');
    expect(body['sessions']).toEqual([]);
    expect(await table.show('mallory')).toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND' });
    const stream = await readEvents(`${server.http}/macp/session/${table.id}/envelopes`, 'mallory');
    expect(stream.status).toBe(404);
  });

  it('N-8: is not for a token of another mode, whoever owns it', async () => {
    const elsewhere = 'allowed_modes: [macp.mode.task.v1]';
    await using server = await startTestGateway(
      closedConfig({ ...CAST, seller: elsewhere, auditor: `is_observer: true, ${elsewhere}` }),
    );
    const table = openTable(server.http);
    await table.start('buyer', {}, token('buyer'));
    for (const name of ['seller', 'auditor']) {
      for (const path of ['', '/envelopes']) {
        const refused = await ask(`${server.http}/macp/session/${table.id}${path}`, token(name));
        expect(refused).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      }
      const stream = await readEvents(`${server.http}/macp/session/${table.id}/envelopes`, token(name));
      expect(stream.status).toBe(403);
      expect(await table.control(token(name), 'cancel')).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      expect((await ask(`${server.http}/macp/sessions`, token(name))).body).toEqual({
        sessions: [],
        more: 0,
      });
    }
  });

  it('N-4, N-8: only its initiator controls a session; for those who may not read it, it does not exist', async () => {
    await using server = await startTestGateway(closedConfig(CAST));
    const table = openTable(server.http);
    const unknown = openTable(server.http);
    await table.start('buyer', {}, token('buyer'));
    for (const action of ['suspend', 'resume', 'cancel'] as const) {
      expect(await table.control(token('seller'), action)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      const hidden = await table.control(token('mallory'), action);
      const nothing = await unknown.control(token('mallory'), action);
      expect(hidden).toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND', state: 'UNSPECIFIED' });
      expect(JSON.stringify(hidden.body).replaceAll(table.id, unknown.id)).toBe(JSON.stringify(nothing.body));
    }
    expect(await table.control(token('buyer'), 'cancel')).toMatchObject({ ok: true, state: 'CANCELLED' });
  });

  it('I-4: a revoked token ends its streams, and sends nothing more', async () => {
    await using server = await startTestGateway(closedConfig(CAST));
    const table = openTable(server.http);
    await table.start('buyer', {}, token('buyer'));
    const url = `${server.http}/macp/session/${table.id}/envelopes`;
    await using seller = await readEvents(url, token('seller'));
    await using buyer = await readEvents(url, token('buyer'));
    await using sessions = await readEvents(`${server.http}/macp/sessions`, token('seller'));
    await using policies = await readEvents(`${server.http}/macp/policies`, token('seller'));
    await using signals = await readEvents(`${server.http}/macp/signals`, token('seller'));
    await Promise.all([seller.take(1), buyer.take(1), sessions.take(1), policies.take(1)]);
    const { seller: _, ...rest } = CAST;
    server.gateway.reload(loopbackConfig(closedConfig(rest)));
    for (const stream of [seller, sessions, policies, signals])
      expect(await stream.next()).toMatchObject({ name: 'end', data: 'credential_revoked' });
    const refused = await table.send('seller', 'Proposal', { proposal_id: 'p' }, {}, token('seller'));
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    await table.control(token('buyer'), 'cancel');
    expect((await buyer.next())?.id).toBe(2);
  });

  it('I-6: following delivers history, then live messages, once and in order; also after a given number', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    await table.propose('seller', 'p1');
    const url = `${server.http}/macp/session/${table.id}/envelopes`;
    await using first = await readEvents(url, 'buyer');
    expect((await first.take(2)).map(({ id }) => id)).toEqual([1, 2]);
    await Promise.all(Array.from({ length: 40 }, (_, index) => table.propose('buyer', `b${index}`)));
    expect((await first.take(40)).map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, n) => n + 3));
    await using second = await readEvents(url, 'seller', 40);
    const rest = await second.take(2);
    expect(rest.map(({ id, json }) => [id, json['sequence']])).toEqual([
      [41, 41],
      [42, 42],
    ]);
    const page = await table.envelopes('buyer', 41);
    expect(page.map(({ sequence }) => sequence)).toEqual([42]);
  });

  it('I-6: many who start to follow under traffic see the same', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer');
    const url = `${server.http}/macp/session/${table.id}/envelopes`;
    const COUNT = 120;
    let sent = 0;
    const sending = (async () => {
      for (; sent < COUNT; sent++) await table.propose('seller', `p${sent}`);
    })();
    const seen = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        await until(() => sent >= index * 9);
        await using reader = await readEvents(url, 'buyer');
        return (await reader.take(COUNT + 1)).map(({ id }) => id);
      }),
    );
    await sending;
    const all = Array.from({ length: COUNT + 1 }, (_, index) => index + 1);
    for (const ids of seen) expect(ids).toEqual(all);
  });
});

describe('watching', () => {
  it('N-4, N-8: sessions: existing ones, then events, only what the caller may read', async () => {
    await using server = await startTestGateway(closedConfig(CAST));
    const before = openTable(server.http);
    await before.start('buyer', {}, token('buyer'));
    await using auditor = await readEvents(`${server.http}/macp/sessions`, token('auditor'));
    await using mallory = await readEvents(`${server.http}/macp/sessions`, token('mallory'));
    await auditor.take(1);
    await before.control(token('buyer'), 'suspend');
    await before.control(token('buyer'), 'resume');
    await before.control(token('buyer'), 'cancel');
    const own = openTable(server.http);
    await own.start('mallory', {}, token('mallory'));
    const told = (event: { readonly json: JsonObject }) => {
      const session = event.json['session'] as JsonObject;
      return [event.json['event_type'], session['session_id'], session['state']];
    };
    expect((await auditor.take(4)).map(told)).toEqual([
      ['EVENT_TYPE_SUSPENDED', before.id, expect.any(String)],
      ['EVENT_TYPE_RESUMED', before.id, expect.any(String)],
      ['EVENT_TYPE_CANCELLED', before.id, 'SESSION_STATE_CANCELLED'],
      ['EVENT_TYPE_CREATED', own.id, 'SESSION_STATE_OPEN'],
    ]);
    expect((await mallory.take(1)).map(told)).toEqual([['EVENT_TYPE_CREATED', own.id, 'SESSION_STATE_OPEN']]);
  });

  it('signals are passed on to watchers, and never recorded', async () => {
    await using server = await startTestGateway();
    await using watcher = await readEvents(`${server.http}/macp/signals`, 'anybody');
    const ambient = { session_id: '', mode: '' };
    const table = openTable(server.http);
    const signal = { signal_type: 'price.moved', confidence: 0.5 };
    expect(await table.send('feed', 'Signal', signal, ambient)).toMatchObject({
      ok: true,
      state: 'UNSPECIFIED',
    });
    expect((await watcher.next())?.json).toMatchObject({ envelope: { sender: 'feed', payload: signal } });
    for (const [payload, change] of [
      [{}, ambient],
      [signal, { ...ambient, session_id: table.id }],
      [signal, { ...ambient, mode: 'macp.mode.proposal.v1' }],
    ] as const) {
      expect(await table.send('feed', 'Signal', payload, change)).toMatchObject({ code: 'INVALID_ENVELOPE' });
    }
    expect((await ask(`${server.http}/macp/sessions`, 'reviewer')).body).toEqual({ sessions: [], more: 0 });
  });
});
