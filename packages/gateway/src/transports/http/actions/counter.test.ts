import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { loopbackConfig } from '../../../loopback.js';
import { openJournal, temporaryFolder } from '../../../testing/folder.js';
import {
  answerNext,
  digestIn,
  idOf,
  proposalIn,
  scriptOf,
  serveEcho,
} from '../../../testing/peers/script.js';
import { startTestGateway } from '../../../testing/test-gateway.js';

const countersIn = (proposal: JsonObject) => proposal['counters'] as readonly JsonObject[];

describe('counter-offers from a script', () => {
  it('O-40: a reviewer offers other arguments, the proposer accepts, and that runs once', async () => {
    await using gateway = await startTestGateway();
    await using tools = await serveEcho(gateway.ws);
    const { propose, send, show } = scriptOf(gateway.http);
    const asked = await propose('agent');
    const path = `/${idOf(asked)}`;
    const waiting = show(idOf(asked), '?wait=30s');
    const countered = await send('reviewer', `${path}/counter`, {
      arguments: { text: 'softly' },
      reason: 'not so loud',
    });
    expect(countered).toMatchObject({ status: 200, body: { status: 'accepted', done: true } });
    const [offer] = countersIn(proposalIn(countered));
    expect(offer).toMatchObject({
      by: 'reviewer',
      state: 'live',
      reason: 'not so loud',
      params: { name: 'echo', arguments: { text: 'softly' } },
      amendment: [{ path: '/arguments/text', before: 'hello', after: 'softly' }],
    });
    // A client waiting for an answer gets it.
    expect((await waiting).body).toMatchObject({ done: true, proposal: { phase: 'pending' } });

    const counter = offer?.['id'] as string;
    expect(await send('reviewer', `${path}/accept`, { counter })).toMatchObject({ code: 'not_proposer' });
    expect(await send('agent', `${path}/accept`, { counter, digest: digestIn(asked) })).toMatchObject({
      code: 'digest_mismatch',
    });
    expect(await send('agent', `${path}/accept`, { counter: 'c9' })).toMatchObject({
      code: 'unknown_counter',
    });
    const accepting = send('agent', `${path}/accept`, { counter }, { query: '?wait=30s' });
    const request = await answerNext(tools);
    expect(request).toMatchObject({
      from: 'reviewer',
      payload: { params: { name: 'echo', arguments: { text: 'softly' } } },
    });
    const accepted = await accepting;
    expect(accepted.body).toMatchObject({ done: true, response: { result: {} } });
    expect(proposalIn(accepted)).toMatchObject({
      phase: 'settled',
      fulfilment: { by: 'reviewer', counter, digest: offer?.['digest'] },
    });
    expect(await send('agent', `${path}/accept`, { counter })).toMatchObject({
      code: 'proposal_not_pending',
    });
    expect(tools.messages.filter(({ kind }) => kind.startsWith('mcp.request.'))).toHaveLength(1);
  });

  it('O-22, O-40: the conversation continues after a restart, and its end is approved by its digest', async () => {
    await using folder = await temporaryFolder();
    const start = async () => startTestGateway('dev: true', await openJournal(folder.path));
    let path: string;
    let first: string;
    {
      await using gateway = await start();
      const { propose, send } = scriptOf(gateway.http);
      path = `/${idOf(await propose('agent'))}`;
      first = idOf(
        await send('reviewer', `${path}/counter`, { arguments: { text: 'softly' }, reason: 'too loud' }),
      );
    }
    await using gateway = await start();
    await using tools = await serveEcho(gateway.ws);
    const { send } = scriptOf(gateway.http);
    const body = { arguments: { text: 'gently' }, reason: 'a compromise', answers: first };
    expect(await send('agent', `${path}/counter`, { ...body, answers: 'c9' })).toMatchObject({
      code: 'unknown_counter',
    });
    const answered = await send('agent', `${path}/counter`, body);
    const [, second] = countersIn(proposalIn(answered));
    expect(second).toMatchObject({ by: 'agent', answers: first });
    const approving = send(
      'reviewer',
      `${path}/approve`,
      { digest: second?.['digest'] },
      { query: '?wait=30s' },
    );
    expect(await answerNext(tools)).toMatchObject({ payload: { params: { arguments: { text: 'gently' } } } });
    expect(proposalIn(await approving)).toMatchObject({ phase: 'settled' });
  });

  it('O-40: a body that offers nothing, or both, is refused, and a space may limit the rounds', async () => {
    await using gateway = await startTestGateway('dev: true\nspaces: { main: { counter_rounds: 1 } }');
    const { propose, send } = scriptOf(gateway.http);
    const path = `/${idOf(await propose('agent'))}/counter`;
    expect(await send('reviewer', path, { reason: 'x' })).toMatchObject({
      status: 400,
      code: 'invalid_field',
    });
    expect(await send('reviewer', path, { arguments: {} })).toMatchObject({ code: 'missing_field' });
    const offer = (text: string) => send('reviewer', path, { arguments: { text }, reason: 'x' });
    expect(await offer('hello')).toMatchObject({
      code: 'invalid_field',
      body: { details: { field: 'params' } },
    });
    expect(await offer('softly')).toMatchObject({ status: 200 });
    expect(await offer('gently')).toMatchObject({ status: 409, code: 'too_many_counters' });
    expect(await send('agent', '/nothing/accept', { counter: 'c1' })).toMatchObject({
      code: 'unknown_proposal',
    });
  });

  it('I-4, O-40: an offer by someone who may no longer approve it cannot be accepted', async () => {
    const yaml = (rights: string) => `
dev: true
participants:
  ann: { spaces: { main: ["${rights}", mcpx.counter.proposal] } }
`;
    await using gateway = await startTestGateway(yaml('mcp.request.*'));
    await using tools = await serveEcho(gateway.ws);
    const { propose, send } = scriptOf(gateway.http);
    const path = `/${idOf(await propose('agent'))}`;
    const countered = await send('ann', `${path}/counter`, { arguments: { text: 'softly' }, reason: 'x' });
    const counter = idOf(countered);
    gateway.gateway.reload(loopbackConfig(yaml('chat.message')));
    expect(await send('agent', `${path}/accept`, { counter })).toMatchObject({
      status: 403,
      code: 'not_approver',
    });
    gateway.gateway.reload(loopbackConfig('dev: true\nparticipants: { ann: { spaces: {} } }'));
    expect(await send('agent', `${path}/accept`, { counter })).toMatchObject({ code: 'author_absent' });
    gateway.gateway.reload(loopbackConfig(yaml('mcp.request.*')));
    expect(await send('agent', `${path}/accept`, { counter })).toMatchObject({ status: 200 });
    await answerNext(tools);
  });
});
