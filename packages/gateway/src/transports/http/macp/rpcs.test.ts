import { randomUUID } from 'node:crypto';
import { type JsonObject, objectOf } from '@proffer/core/json';
import { RUNTIME_SERVICE } from '@proffer/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitPayload, macpEnvelope, openTable, startPayload } from '../../../testing/macp.js';
import { type EventReader, readEvents } from '../../../testing/peers/event-reader.js';
import { type Answer, ask } from '../../../testing/peers/http.js';
import { startTestGateway } from '../../../testing/test-gateway.js';

let gateway: Awaited<ReturnType<typeof startTestGateway>>;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const JSON_TYPE = { 'content-type': 'application/json' };
const rpc = (method: string, token: string | undefined, body: JsonObject): Promise<Answer> =>
  ask(`${gateway.http}/macp/v1/${method}`, token, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  });
const raw = (method: string, headers: Record<string, string>): Promise<Response> => {
  const authorization = 'Bearer buyer';
  const init = { method: 'POST', headers: { authorization, ...headers }, body: '{}' };
  return fetch(`${gateway.http}/macp/v1/${method}`, init);
};
const status = async (method: string, headers: Record<string, string>): Promise<number> =>
  (await raw(method, headers)).status;
const stream = (method: string, body: JsonObject, token = 'buyer', after?: number): Promise<EventReader> =>
  readEvents(`${gateway.http}/macp/v1/${method}`, token, after, JSON.stringify(body));

const follow = (id: string, more: JsonObject = {}, after?: number): Promise<EventReader> =>
  stream('StreamSession', { subscribe_session_id: id, ...more }, 'buyer', after);

/** The type of each envelope, the code of an error, and nothing at the end. */
async function told(reader: EventReader, count: number): Promise<readonly unknown[]> {
  const heard: unknown[] = [];
  while (heard.length < count) {
    const event = await reader.next();
    if (event === undefined) break;
    const data = JSON.parse(event.data) as { envelope?: JsonObject; error?: JsonObject };
    heard.push(event.name === 'error' ? data.error?.['code'] : [event.id, data.envelope?.['message_type']]);
  }
  return heard;
}

async function converged(): Promise<ReturnType<typeof openTable>> {
  const table = openTable(gateway.http);
  await table.start('buyer');
  await table.propose('seller', 'p1');
  await table.accept('seller', 'p1');
  return table;
}

describe('POST /macp/v1/Send', () => {
  const sent = (sender: string, type: string, payload: JsonObject, id: string = randomUUID()) => ({
    envelope: macpEnvelope(id, sender, type, payload),
  });

  it('N-20: what is decided about an envelope is in its Ack, with the status 200', async () => {
    const started = await rpc('Send', 'buyer', sent('buyer', 'SessionStart', startPayload()));
    expect([started.status, started.body]).toMatchObject([
      200,
      { ack: { ok: true, duplicate: false, session_state: 'SESSION_STATE_OPEN' } },
    ]);
    const unknown = await rpc('Send', 'buyer', sent('buyer', 'Accept', { proposal_id: 'p1' }));
    expect([unknown.status, unknown.body]).toMatchObject([
      200,
      { ack: { ok: false, error: { code: 'SESSION_NOT_FOUND' } } },
    ]);
  });

  it('N-20: details are bytes, so they are base64', async () => {
    const { body } = await rpc('Send', 'buyer', sent('buyer', 'SessionStart', startPayload({ ttl_ms: 0 })));
    const { details } = (body['ack'] as { error: { details: string } }).error;
    expect(JSON.parse(Buffer.from(details, 'base64').toString())).toMatchObject({
      field: 'payload.ttl_ms',
    });
  });

  it('N-20: a request that is none has a status, and its code in a header', async () => {
    const answers = [
      await rpc('Send', undefined, {}),
      await rpc('Send', 'buyer', {}),
      await rpc('Send', 'buyer', { envelope: 7 }),
      await rpc('Send', 'buyer', { envelope: { payload: 'x'.repeat(3_000_000) } }),
    ];
    expect(
      answers.map(({ status: found, code, headers }) => [found, code === headers.get('macp-error-code')]),
    ).toEqual([
      [401, true],
      [400, true],
      [400, true],
      [413, true],
    ]);
    expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('POST /macp/v1/{method}', () => {
  it('N-26: lists sessions in pages', async () => {
    const [first, second] = [openTable(gateway.http), openTable(gateway.http)];
    await first.start('pager', { participants: ['pager'] });
    await second.start('pager', { participants: ['pager'] });
    const { body } = await rpc('ListSessions', 'pager', { page_size: 1 });
    const { body: rest } = await rpc('ListSessions', 'pager', { page_token: body['next_page_token'] ?? '' });
    const idsIn = (answer: JsonObject) =>
      (answer['sessions'] as { session_id: string }[]).map(({ session_id }) => session_id);
    expect(idsIn(body)).toHaveLength(1);
    const both = [...idsIn(rest), ...idsIn(body)];
    expect(both.filter((id) => id === first.id || id === second.id)).toHaveLength(2);
    expect((await rpc('ListSessions', 'pager', { page_size: -1 })).status).toBe(400);
  });

  it('N-27: reports what would have become of a session', async () => {
    const table = await converged();
    await table.commit('buyer');
    const candidate = {
      policy_id: 'policy.strict',
      mode: 'macp.mode.proposal.v1',
      rules: { acceptance: { commitment_accepts: false } },
      schema_version: 1,
    };
    const { body } = await rpc('WhatIfReplay', 'seller', { session_id: table.id, candidate });
    expect(body).toMatchObject({
      candidate_policy_id: 'policy.strict',
      recorded: { state: 'SESSION_STATE_RESOLVED' },
      candidate: { state: 'SESSION_STATE_OPEN' },
      first_divergence: 3,
    });
    expect((body['entries'] as unknown[])[3]).toMatchObject({
      recorded: { kind: 'KIND_APPLIED', state: 'SESSION_STATE_RESOLVED' },
      candidate: { kind: 'KIND_REFUSED', error_code: 'INVALID_ENVELOPE' },
    });
    const none = await rpc('WhatIfReplay', 'seller', { session_id: table.id });
    expect([none.status, none.code]).toEqual([400, 'INVALID_POLICY_DEFINITION']);
  });

  it('N-20: serves every method of the runtime', async () => {
    const names = Object.values(RUNTIME_SERVICE).map(({ name }) => name);
    for (const name of names) {
      const { headers } = await raw(name, { ...JSON_TYPE, accept: 'text/none' });
      expect([name, headers.get('content-type')]).not.toEqual([name, 'application/problem+json']);
    }
    const unknown = await rpc('Nothing', 'buyer', {});
    expect([unknown.status, unknown.code]).toEqual([404, 'unknown_route']);
  });

  it('N-20: reads JSON only, and streams to those who accept events', async () => {
    expect(await status('ListModes', { 'content-type': 'text/plain' })).toBe(415);
    expect(await status('ListModes', { 'content-type': 'application/json; charset=utf-8' })).toBe(200);
    expect(await status('WatchSignals', { ...JSON_TYPE, accept: 'application/json' })).toBe(406);
  });

  it('N-20: calls without a token, with one, and with a field of another type', async () => {
    const { body: begun } = await rpc('Initialize', undefined, { supported_protocol_versions: ['1.0'] });
    expect(begun).toMatchObject({ selected_protocol_version: '1.0', runtime_info: { name: 'proffer' } });
    const { id } = await converged();
    const { body: shown } = await rpc('GetSession', 'buyer', { session_id: id });
    expect(shown).toMatchObject({ metadata: { session_id: id, state: 'SESSION_STATE_OPEN' } });
    const refused = await rpc('GetSession', 'buyer', { session_id: 7 });
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_ENVELOPE']);
    expect((await rpc('GetSession', 'mallory', { session_id: 'unknown' })).status).toBe(404);
    const { body: cancelled } = await rpc('CancelSession', 'buyer', { session_id: id, reason: 'enough' });
    expect(cancelled).toMatchObject({ ack: { ok: true, session_state: 'SESSION_STATE_CANCELLED' } });
    const { body: listed } = await rpc('ListSessions', 'buyer', {});
    expect(listed['sessions']).toContainEqual(expect.objectContaining({ session_id: id }));
  });

  it.each([
    'ListSessions',
    'WatchSessions',
    'WatchSignals',
    'WatchPolicies',
    'WatchModeRegistry',
    'WatchRoots',
  ])('N-20: %s refuses a body that cannot be read', async (method) => {
    const isOpen = method === 'WatchModeRegistry' || method === 'WatchRoots';
    const answered = async (body: string): Promise<number> => {
      const headers = { ...JSON_TYPE, ...(isOpen ? {} : { authorization: 'Bearer buyer' }) };
      const response = await fetch(`${gateway.http}/macp/v1/${method}`, { method: 'POST', headers, body });
      await response.body?.cancel();
      return response.status;
    };
    expect(await answered('{')).toBe(400);
    expect(await answered('[]')).toBe(400);
    expect(await answered(`{"a":"${'x'.repeat(isOpen ? 65_536 : 4_194_304)}"}`)).toBe(413);
    expect(await answered('{}')).toBe(200);
  });

  it('N-13, N-20: the rules of a policy are an object in JSON', async () => {
    const rules = { acceptance: { criterion: 'counterparty' } };
    const policy_descriptor = {
      policy_id: 'policy.test.http',
      mode: 'macp.mode.proposal.v1',
      rules,
      schema_version: 1,
      registered_at_unix_ms: '0',
    };
    const { body } = await rpc('RegisterPolicy', 'buyer', { policy_descriptor });
    expect(body).toEqual({ ok: true, error: '' });
    const { body: found } = await rpc('GetPolicy', 'buyer', { policy_id: 'policy.test.http' });
    expect(found).toMatchObject({ policy_descriptor: { rules } });
    const again = await rpc('RegisterPolicy', 'buyer', { policy_descriptor });
    expect([again.status, again.body['ok']]).toEqual([200, false]);
  });
});

describe('POST /macp/v1/StreamSession', () => {
  it('N-6, N-20: history, then live, and the outcome ends it', async () => {
    const table = await converged();
    await using reader = await follow(table.id);
    expect(await told(reader, 3)).toEqual([
      [1, 'SessionStart'],
      [2, 'Proposal'],
      [3, 'Accept'],
    ]);
    await table.send('buyer', 'Commitment', commitPayload());
    expect(await told(reader, 9)).toEqual([[4, 'Commitment']]);
    await using late = await follow(table.id, { after_sequence: 3 });
    expect(await told(late, 9)).toEqual([[4, 'Commitment']]);
    await using over = await follow(table.id, { after_sequence: 4 });
    expect(await told(over, 9)).toEqual([]);
  });

  it('N-4, N-20: a session that ended without an outcome says so', async () => {
    const table = await converged();
    await table.control('buyer', 'cancel');
    await using reader = await follow(table.id, { after_sequence: 3 });
    expect(await told(reader, 9)).toEqual([[4, 'SessionCancel'], 'SESSION_NOT_OPEN']);
  });

  it('N-20: goes on after Last-Event-ID, unless the body says otherwise', async () => {
    const { id } = await converged();
    await using reader = await follow(id, {}, 2);
    expect(await told(reader, 1)).toEqual([[3, 'Accept']]);
    await using refused = await follow(id, { after_sequence: 1 }, 2);
    expect(refused.status).toBe(400);
  });

  it('N-8, N-20: refuses strangers, envelopes and nothing', async () => {
    const { id } = await converged();
    for (const [body, expected] of [
      [{ subscribe_session_id: randomUUID() }, 404],
      [{ subscribe_session_id: '' }, 400],
      [{ subscribe_session_id: id, envelope: {} }, 400],
    ] as const) {
      await using reader = await stream('StreamSession', body);
      expect(reader.status).toBe(expected);
    }
  });

  it('N-20: the Watch methods stream their messages', async () => {
    await using policies = await stream('WatchPolicies', {});
    const [list] = await policies.take(1);
    expect(list?.json['descriptors']).toContainEqual(
      expect.objectContaining({ policy_id: 'policy.default', rules: expect.any(Object) as object }),
    );
    await using modes = await stream('WatchModeRegistry', {});
    const [changed] = await modes.take(1);
    expect(changed?.json).toMatchObject({ change: { registry: 'modes' } });
    const { id } = await converged();
    await using sessions = await stream('WatchSessions', {});
    for (;;) {
      const [event] = await sessions.take(1);
      const { session: found, event_type } = objectOf(event?.json['event']);
      const session = objectOf(found);
      if (session['session_id'] !== id) continue;
      expect([event_type, session['state']]).toEqual(['EVENT_TYPE_CREATED', 'SESSION_STATE_OPEN']);
      break;
    }
  });
});
