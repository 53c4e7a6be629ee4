import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@proffer/core/json';
import { expect, it } from 'vitest';
import { loopbackConfig } from '../loopback.js';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { openTable, startPayload } from '../testing/macp.js';
import { readEvents } from '../testing/peers/event-reader.js';
import { ask } from '../testing/peers/http.js';
import { startTestGateway } from '../testing/test-gateway.js';

const mode = 'ext.auction.v1';
const DESCRIPTOR = {
  mode,
  mode_version: '1.0.0',
  message_types: ['SessionStart', 'Bid', 'Award'],
  terminal_message_types: ['Award'],
};

const call = (http: string, method: string, body: JsonObject) =>
  ask(`${http}/macp/v1/${method}`, 'buyer', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

it('I-3, N-31: a session in a registered mode continues after a restart, although the mode is gone', async () => {
  await using folder = await temporaryFolder();
  const id = randomUUID();
  {
    await using gateway = await startTestGateway('dev: true', await openJournal(folder.path));
    const { http } = gateway;
    expect((await call(http, 'RegisterExtMode', { mode_descriptor: DESCRIPTOR })).body).toMatchObject({
      ok: true,
    });
    const table = openTable(http, id);
    expect(await table.send('buyer', 'SessionStart', startPayload(), { mode })).toMatchObject({ ok: true });
    expect(await table.send('seller', 'Bid', { amount: 5 }, { mode })).toMatchObject({ sequence: 2 });
    expect((await call(http, 'UnregisterExtMode', { mode })).body).toMatchObject({ ok: true });
    expect(await openTable(http).send('buyer', 'SessionStart', startPayload(), { mode })).toMatchObject({
      code: 'MODE_NOT_SUPPORTED',
    });
  }
  await using gateway = await startTestGateway('dev: true', await openJournal(folder.path));
  const table = openTable(gateway.http, id);
  const { body } = await table.show('buyer');
  expect(body).toMatchObject({ metadata: { mode, mode_descriptor: DESCRIPTOR } });
  expect(await table.send('seller', 'Award', {}, { mode })).toMatchObject({ code: 'FORBIDDEN' });
  expect(await table.send('buyer', 'Award', { payload: 1 }, { mode })).toMatchObject({ state: 'RESOLVED' });
  await using events = await readEvents(`${gateway.http}/macp/session/${id}/envelopes`, 'seller');
  const seen = await events.take(3);
  expect(seen.map(({ json }) => (json as { envelope: JsonObject }).envelope['payload'])).toMatchObject([
    {},
    { amount: 5 },
    { payload: 1 },
  ]);
  expect((await call(gateway.http, 'GetDecisionReceipt', { session_id: id })).code).toBe(
    'RECEIPT_UNAVAILABLE',
  );
});

it('I-4, N-31: the rights of those who follow a session in a registered mode are looked at again', async () => {
  await using gateway = await startTestGateway();
  const { http } = gateway;
  await call(http, 'RegisterExtMode', { mode_descriptor: DESCRIPTOR });
  const table = openTable(http);
  await table.send('buyer', 'SessionStart', startPayload(), { mode });
  await using events = await readEvents(`${http}/macp/session/${table.id}/envelopes`, 'seller');
  await events.take(1);
  gateway.gateway.reload(loopbackConfig('dev: true'));
  expect(await table.send('seller', 'Bid', {}, { mode })).toMatchObject({ sequence: 2 });
  expect(await events.take(1)).toHaveLength(1);
});

it('N-31: a policy for a registered mode says who ends its sessions', async () => {
  await using gateway = await startTestGateway();
  const { http } = gateway;
  await call(http, 'RegisterExtMode', { mode_descriptor: DESCRIPTOR });
  const rules = JSON.stringify({ commitment: { authority: 'any_participant' }, reserve: { price: 10 } });
  const policy_descriptor = { policy_id: 'policy.open', mode, rules, schema_version: 1 };
  expect((await call(http, 'RegisterPolicy', { policy_descriptor })).body).toMatchObject({ ok: true });
  const table = openTable(http);
  const change = { policy_version: 'policy.open' };
  expect(await table.send('buyer', 'SessionStart', startPayload(change), { mode })).toMatchObject({
    ok: true,
  });
  expect(await table.send('seller', 'Award', {}, { mode })).toMatchObject({ state: 'RESOLVED' });
  expect(await openTable(http).start('buyer', change)).toMatchObject({
    code: 'INVALID_POLICY_DEFINITION',
    body: { error: { message: expect.stringContaining('which is for another mode') } },
  });
});
