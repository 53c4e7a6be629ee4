import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../../../testing/folder.js';
import { chat } from '../../../testing/messages.js';
import { readMetric } from '../../../testing/metrics.js';
import { type Answer, ask, post } from '../../../testing/peers/http.js';
import {
  answerNext,
  CALL,
  digestIn,
  idOf,
  PARAMS,
  proposalIn,
  scriptOf,
  serveEcho,
} from '../../../testing/peers/script.js';
import { startTestGateway } from '../../../testing/test-gateway.js';
import { messageIdFor } from './act.js';

describe('from a script', () => {
  it('O-11, O-25: proposes, approves what was shown, and gets the result, each with one request', async () => {
    await using gateway = await startTestGateway();
    await using tools = await serveEcho(gateway.ws);
    const { propose, send } = scriptOf(gateway.http);
    const proposed = await propose('agent');
    expect(proposed).toMatchObject({ status: 201, body: { status: 'accepted', done: false } });
    expect(proposed.headers.get('location')).toBe(`/spaces/main/proposals/${idOf(proposed)}`);
    expect(proposalIn(proposed)).toMatchObject({ phase: 'pending', method: 'tools/call', params: PARAMS });

    const approving = send(
      'reviewer',
      `/${idOf(proposed)}/approve`,
      { digest: digestIn(proposed) },
      { query: '?wait=30s' },
    );
    const request = await answerNext(tools);
    expect(request).toMatchObject({ from: 'reviewer', payload: { method: 'tools/call', params: PARAMS } });
    const approved = await approving;
    expect(approved).toMatchObject({
      status: 200,
      body: { done: true, response: { result: { content: [{ text: 'hello' }] } } },
    });
    expect(proposalIn(approved)).toMatchObject({ phase: 'settled', outcome: { result: 'ok' } });
    expect(
      await readMetric(gateway.http, 'proffer_messages_total', '{transport="http",outcome="accepted"}'),
    ).toBe(2);
  });

  it('O-25: does not run what does not match the shown digest', async () => {
    await using gateway = await startTestGateway();
    await using tools = await serveEcho(gateway.ws);
    const { propose, send, show } = scriptOf(gateway.http);
    const proposed = await propose('agent');
    const approve = (body: JsonObject) => send('reviewer', `/${idOf(proposed)}/approve`, body);
    const other = { name: 'echo', arguments: { text: 'other' } };
    expect(await approve({ digest: 'sha256:00' })).toMatchObject({ status: 409, code: 'digest_mismatch' });
    expect(await approve({ digest: digestIn(proposed), params: other })).toMatchObject({
      status: 409,
      code: 'digest_mismatch',
    });
    expect(await approve({})).toMatchObject({
      status: 400,
      code: 'missing_field',
      body: { details: { field: 'digest' } },
    });
    expect(await approve({ digest: digestIn(proposed), param: other })).toMatchObject({
      code: 'invalid_field',
    });
    const another = { name: 'rm', arguments: {} };
    expect(await approve({ digest: digestIn(proposed), params: another })).toMatchObject({
      code: 'kind_mismatch',
    });
    expect(proposalIn(await show(idOf(proposed)))).toMatchObject({ phase: 'pending' });
    const amended = digestIn(await propose('agent', { method: 'tools/call', params: other }));
    expect(await approve({ digest: amended, params: other })).toMatchObject({ status: 200 });
    expect(await tools.next(({ kind }) => kind.startsWith('mcp.request.'))).toMatchObject({
      payload: { params: other },
    });
    expect(tools.messages.filter(({ kind }) => kind.startsWith('mcp.request.'))).toHaveLength(1);
  });

  it('O-29: takes an approval back, once, and the call stays pending', async () => {
    const review =
      "[{ name: pays, call: 'mcp.request.tools/call:echo', approvals: 2, from: [ann, bob], veto: true }]";
    const people = "ann: { spaces: { main: ['*'] } }, bob: { spaces: { main: ['*'] } }";
    await using gateway = await startTestGateway(
      `dev: true\nspaces: { main: { review: ${review} } }\nparticipants: { ${people} }`,
    );
    await using tools = await serveEcho(gateway.ws);
    const { propose, send, show } = scriptOf(gateway.http);
    const proposed = await propose('agent');
    const id = idOf(proposed);
    const approve = (who: string) => send(who, `/${id}/approve`, { digest: digestIn(proposed) });
    const takeBack = (who: string) => send(who, `/${id}/take-back`, {});
    await approve('ann');
    expect(await takeBack('bob')).toMatchObject({ status: 403, code: 'not_approver' });
    const taken = await takeBack('ann');
    expect(taken).toMatchObject({ status: 200, body: { status: 'accepted' } });
    expect(proposalIn(taken)).toMatchObject({
      phase: 'pending',
      approvals: [],
      progress: { given: 0, needed: 2 },
    });
    expect(await takeBack('ann')).toMatchObject({ code: 'not_approver' });
    await approve('bob');
    await approve('ann');
    expect(proposalIn(await show(id))).toMatchObject({ phase: 'fulfilled' });
    expect(await takeBack('ann')).toMatchObject({ status: 409, code: 'proposal_not_pending' });
    expect(tools.messages.filter(({ kind }) => kind.startsWith('mcp.request.'))).toHaveLength(1);
  });

  it('O-15, O-16, O-17: rejects, withdraws and reports a status; a late request is told so', async () => {
    await using gateway = await startTestGateway();
    const { propose, send, show } = scriptOf(gateway.http);
    const asked = { method: 'tools/list', to: ['reviewer'], ttl: 60_000, reason: 'to see what there is' };
    const id = idOf(await propose('agent', asked));
    const [proposed] = (await show(id)).body['history'] as JsonObject[];
    expect(proposed).toMatchObject({ message: { payload: { reason: asked.reason } } });
    const renewed = await send('agent', `/${id}/renew`, { ttl: 600_000 });
    expect(Number(proposalIn(renewed)['expiresAt'])).toBeGreaterThan(Date.now() + 500_000);
    expect(await send('reviewer', `/${id}/status`, { status: 'considering' })).toMatchObject({ status: 200 });
    const rejected = await send('reviewer', `/${id}/reject`, { reason: 'policy', message: 'not today' });
    expect(rejected.body).toMatchObject({ status: 'accepted', done: true });
    expect(proposalIn(rejected)).toMatchObject({
      phase: 'pending',
      rejections: { reviewer: { reason: 'policy', message: 'not today' } },
      statuses: { reviewer: { status: 'considering' } },
    });
    expect(await send('agent', `/${id}/withdraw`, {}, { text: '' })).toMatchObject({ status: 200 });
    expect(proposalIn(await show(id))).toMatchObject({ phase: 'withdrawn' });
    for (const [who, action, body] of [
      ['reviewer', 'reject', { reason: 'unsafe' }],
      ['agent', 'withdraw', {}],
      ['reviewer', 'status', { status: 'queued' }],
      ['reviewer', 'approve', { digest: 'sha256:00' }],
    ] as const) {
      expect(await send(who, `/${id}/${action}`, body)).toMatchObject({
        status: 409,
        code: 'proposal_not_pending',
        body: { details: { state: 'withdrawn', by: 'agent' } },
      });
    }
  });

  it('O-9, O-15, O-17, O-24: the same rules apply as on every other path', async () => {
    await using gateway = await startTestGateway();
    const { propose, send } = scriptOf(gateway.http);
    const proposed = await propose('reviewer');
    const path = `/${idOf(proposed)}`;
    const digest = digestIn(proposed);
    expect(await send('agent', `${path}/approve`, { digest })).toMatchObject({
      code: 'capability_violation',
    });
    expect(await send('agent', `${path}/withdraw`, {})).toMatchObject({ code: 'not_proposer' });
    expect(await send('reviewer', `${path}/approve`, { digest })).toMatchObject({ code: 'self_fulfilment' });
    expect(await send('reviewer', `${path}/reject`, { reason: 'x' })).toMatchObject({ code: 'use_withdraw' });
    expect(await send('reviewer', '/nobody/approve', { digest })).toMatchObject({
      status: 404,
      code: 'unknown_proposal',
    });
    expect(await send('reviewer', '/nobody/reject', { reason: 'x' })).toMatchObject({ status: 404 });
  });

  it.each<[JsonObject, string]>([
    [{}, 'tool'],
    [{ tool: 'echo', method: 'tools/call' }, 'tool'],
    [{ arguments: {} }, 'tool'],
    [{ tool: 'echo', ttl: 'soon' }, 'ttl'],
    [{ tool: 'echo', argument: {} }, 'argument'],
    [{ tool: 'echo', to: 'reviewer' }, 'to'],
  ])('O-5: %j is refused, with the field that is wrong', async (body, field) => {
    await using gateway = await startTestGateway();
    const refused = await scriptOf(gateway.http).propose('agent', body);
    expect(refused).toMatchObject({ status: 400, body: { details: { field } } });
  });

  it('O-21: a hidden proposal is reported as missing', async () => {
    const yaml = 'dev: true\nspaces: { main: { visibility: addressed } }';
    await using gateway = await startTestGateway(yaml);
    const { propose, send, base } = scriptOf(gateway.http);
    const proposed = await propose('agent', { ...CALL, to: ['reviewer'] });
    const unknown = { status: 404, code: 'unknown_proposal' };
    expect(await ask(`${base}/${idOf(proposed)}?wait=1s`, 'tools')).toMatchObject(unknown);
    const approved = await send('tools', `/${idOf(proposed)}/approve`, { digest: digestIn(proposed) });
    expect(approved).toMatchObject(unknown);
  });
});

describe('Idempotency-Key', () => {
  it('O-3: a repeated request has no second effect, also after a restart; a different one conflicts', async () => {
    await using folder = await temporaryFolder();
    const start = async () => startTestGateway('dev: true', await openJournal(folder.path));
    let first: Answer;
    {
      await using gateway = await start();
      const { propose } = scriptOf(gateway.http);
      first = await propose('agent', CALL, { key: 'job-17' });
      expect(await propose('agent', CALL, { key: '"job-17"' })).toMatchObject({
        status: 201,
        body: { id: idOf(first), status: 'duplicate' },
      });
    }
    await using gateway = await start();
    const { propose, send, base } = scriptOf(gateway.http);
    const again = await propose('agent', CALL, { key: 'job-17' });
    expect(again.body).toMatchObject({ id: idOf(first), status: 'duplicate', seq: first.body['seq'] });
    const conflict = await propose('agent', { ...CALL, ttl: 1_000 }, { key: 'job-17' });
    expect(conflict).toMatchObject({
      status: 409,
      code: 'id_conflict',
      body: { details: { field: 'Idempotency-Key' } },
    });
    // Another participant, and another action, are other messages.
    expect((await propose('builder', CALL, { key: 'job-17' })).body).toMatchObject({ status: 'accepted' });
    const withdraw = (key: string) => send('agent', `/${idOf(first)}/withdraw`, {}, { key });
    expect(await withdraw('job-17')).toMatchObject({ code: 'id_conflict' });
    expect((await withdraw('job-18')).body).toMatchObject({ status: 'accepted' });
    expect((await withdraw('job-18')).body).toMatchObject({ status: 'duplicate' });
    expect((await ask(base, 'agent')).body['proposals']).toHaveLength(2);
  });

  it("O-3: nobody can use up another's key by sending a message with its id", async () => {
    await using gateway = await startTestGateway();
    const { propose } = scriptOf(gateway.http);
    const id = messageIdFor('agent', 'job-17');
    for (const dialect of [{}, { protocol: 'mew/v0.4' }]) {
      expect(await post(gateway.http, 'builder', { ...chat(id), ...dialect })).toMatchObject({
        status: 400,
        code: 'invalid_field',
        body: { details: { field: 'id' } },
      });
    }
    expect(await propose('agent', CALL, { key: 'job-17' })).toMatchObject({
      status: 201,
      body: { id, status: 'accepted' },
    });
  });

  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('O-5: %j is not a valid key', async (key) => {
    await using gateway = await startTestGateway();
    const refused = await scriptOf(gateway.http).propose('agent', CALL, { key });
    expect(refused).toMatchObject({
      status: 400,
      code: 'invalid_field',
      body: { details: { field: 'Idempotency-Key' } },
    });
  });
});

describe('problem details', () => {
  it('O-5: every refusal has its code, its status, and advice, as in RFC 9457', async () => {
    await using gateway = await startTestGateway();
    const openapi = (await ask(`${gateway.http}/openapi.json`, undefined)).body as {
      components: { 'x-codes': JsonObject };
    };
    for (const [path, status, code] of [
      ['/nowhere', 404, 'unknown_route'],
      ['/spaces/main/proposals?limit=0', 400, 'invalid_field'],
      ['/spaces/other/feed', 403, 'forbidden_space'],
      ['/spaces/main/proposals/x', 404, 'unknown_proposal'],
    ] as const) {
      const { headers, body } = await ask(gateway.http + path, 'agent');
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(body).toMatchObject({ status, code, retryable: false, title: expect.any(String) });
      expect(body['detail']).toMatch(/\.$/);
      const [, key = ''] = /x-codes\/(.*)$/.exec(body['type'] as string) ?? [];
      expect(openapi.components['x-codes'][key]).toMatchObject({ status });
    }
    const { status, headers } = await ask(`${gateway.http}/spaces/main/proposals/x/approve`, 'agent');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});
