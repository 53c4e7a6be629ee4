import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { loopbackConfig } from '../../../loopback.js';
import { readMetric } from '../../../testing/metrics.js';
import { readEvents } from '../../../testing/peers/event-reader.js';
import { connectPeer } from '../../../testing/peers/peer.js';
import {
  answerNext,
  CALL,
  digestIn,
  idOf,
  proposalIn,
  scriptOf,
  serveEcho,
} from '../../../testing/peers/script.js';
import { startTestGateway } from '../../../testing/test-gateway.js';

describe('waiting', () => {
  it('O-17: a rejection ends the wait, unless the caller leaves it to the others', async () => {
    await using gateway = await startTestGateway();
    const { propose, send, show } = scriptOf(gateway.http);
    const proposing = propose('agent', CALL, { key: 'k', query: '?wait=30s' });
    await using reviewer = await connectPeer(gateway.ws, 'reviewer', { after: '0' });
    const { id } = await reviewer.next(({ kind }) => kind.startsWith('mcp.proposal.'));
    await send('reviewer', `/${id}/reject`, { reason: 'busy' });
    const patient = show(id, '?wait=30s&onRejection=wait');
    await send('reviewer', `/${id}/reject`, { reason: 'unsafe' });
    expect(proposalIn(await proposing)).toMatchObject({
      phase: 'pending',
      rejections: { reviewer: { reason: 'unsafe' } },
    });
    await send('agent', `/${id}/withdraw`, {});
    expect(await patient).toMatchObject({
      status: 200,
      body: { done: true, proposal: { phase: 'withdrawn' } },
    });
  });

  it('O-26, O-46: a client that follows a proposal it would run itself counts as connected meanwhile', async () => {
    await using gateway = await startTestGateway();
    const { propose, send, show } = scriptOf(gateway.http);
    const id = idOf(await propose('runner', { ...CALL, executor: 'runner' }));
    const digest = digestIn(await show(id));
    const early = await send('reviewer', `/${id}/approve`, { digest });
    expect(early).toMatchObject({ status: 409, body: { code: 'executor_absent' } });
    const leaving = new AbortController();
    const response = await fetch(`${gateway.http}/spaces/main/proposals/${id}`, {
      headers: { authorization: 'Bearer runner', accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    const approved = await send('reviewer', `/${id}/approve`, { digest });
    expect(proposalIn(approved)).toMatchObject({ phase: 'allowed', fulfilment: { executor: 'runner' } });
    expect(response.status).toBe(200);
    leaving.abort();
    expect(proposalIn(await show(id))).toMatchObject({ phase: 'allowed' });
  });

  it('O-19: ends at the timeout, with what is known then', async () => {
    await using gateway = await startTestGateway();
    const { propose } = scriptOf(gateway.http);
    expect((await propose('agent', CALL, { query: '?wait=10ms' })).body).toMatchObject({ done: false });
    const expired = await propose('agent', { ...CALL, ttl: 50 }, { query: '?wait=30s' });
    expect(expired.body).toMatchObject({ done: true, proposal: { phase: 'expired' } });
  });

  it.each(['wait=soon', 'wait=30', 'wait=11m', 'wait=-1s', 'wait=1s&onRejection=x'])(
    'O-5: ?%s is refused',
    async (query) => {
      await using gateway = await startTestGateway();
      const { propose, show } = scriptOf(gateway.http);
      const id = idOf(await propose('agent'));
      expect(await show(id, `?${query}`)).toMatchObject({ status: 400, code: 'invalid_field' });
      expect(await propose('agent', CALL, { query: `?${query}` })).toMatchObject({ status: 400 });
    },
  );

  it('I-7: a waiting client counts as a connection, and is answered when the gateway closes', async () => {
    const gateway = await startTestGateway('dev: true\nlimits: { connections_per_token: 1 }');
    const { propose, show } = scriptOf(gateway.http);
    const id = idOf(await propose('agent'));
    const waiting = show(id, '?wait=10m');
    await expect.poll(() => readMetric(gateway.http, 'proffer_connections', '{transport="sse"}')).toBe(1);
    expect(await show(id, '?wait=1s')).toMatchObject({ status: 429, code: 'too_many_connections' });
    await gateway[Symbol.asyncDispose]();
    expect(await waiting).toMatchObject({ status: 200, body: { done: false } });
  });

  it('I-6, O-14: as server-sent events, it reports what happens once and in order, and ends with the outcome', async () => {
    await using gateway = await startTestGateway('dev: true', createMemoryJournal());
    await using tools = await serveEcho(gateway.ws);
    const { propose, send, base } = scriptOf(gateway.http);
    const proposed = await propose('agent');
    const url = `${base}/${idOf(proposed)}`;
    await using events = await readEvents(url, 'agent');
    expect((await events.next())?.json).toMatchObject({
      kind: 'mcp.proposal.tools/call',
      id: idOf(proposed),
    });
    await send('reviewer', `/${idOf(proposed)}/status`, { status: 'considering' });
    const status = await events.next();
    expect(status?.json).toMatchObject({ kind: 'mcpx.status.proposal' });
    await send('reviewer', `/${idOf(proposed)}/approve`, { digest: digestIn(proposed) });
    await answerNext(tools);
    expect((await events.next())?.json).toMatchObject({ kind: 'mcp.request.tools/call:echo' });
    expect((await events.next())?.json).toMatchObject({ kind: 'mcp.response.tools/call' });
    const outcome = await events.next();
    expect(outcome?.name).toBe('outcome');
    expect(JSON.parse(outcome?.data ?? '')).toMatchObject({ done: true, response: { result: {} } });
    expect(await events.next()).toBeUndefined();
    await using later = await readEvents(url, 'agent', status?.id);
    expect((await later.take(3)).map(({ name, json }) => json['kind'] ?? name)).toEqual([
      'mcp.request.tools/call:echo',
      'mcp.response.tools/call',
      'outcome',
    ]);
  });

  it('I-4: a client whose rights ended learns nothing more', async () => {
    await using gateway = await startTestGateway();
    const { propose, base } = scriptOf(gateway.http);
    await using events = await readEvents(`${base}/${idOf(await propose('agent'))}`, 'agent');
    await events.next();
    gateway.gateway.reload(loopbackConfig('dev: true\nspaces: { other: {} }'));
    expect(await events.next()).toMatchObject({ name: 'end', data: 'credential_revoked' });
  });

  it('I-4: nor does it get messages that were not written to it yet', async () => {
    const journal = createMemoryJournal();
    const read = journal.read.bind(journal);
    let revoke = (): void => {};
    Object.assign(journal, {
      read: (...asked: Parameters<typeof read>) => {
        if (asked[1] === 2) revoke();
        return read(...asked);
      },
    });
    await using gateway = await startTestGateway('dev: true', journal);
    const { propose, send, base } = scriptOf(gateway.http);
    const id = idOf(await propose('agent'));
    await using events = await readEvents(`${base}/${id}`, 'agent');
    await events.next();
    revoke = () => gateway.gateway.reload(loopbackConfig('dev: true\nspaces: { other: {} }'));
    await send('reviewer', `/${id}/status`, { status: 'considering' });
    expect(await events.next()).toMatchObject({ name: 'end', data: 'credential_revoked' });
  });
});
