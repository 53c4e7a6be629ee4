import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace } from '../../testing/space.js';
import { connectRaw, listOf } from '../testing/raw-client.js';

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const call = (id: unknown, more: JsonObject = {}, path = '/a'): JsonObject => ({
  id: id as string,
  method: 'tools/call',
  params: { name: 'write', arguments: { path }, _meta: META, ...more },
});
const ANSWERS = { inputResponses: { sure: { action: 'accept' } } };

/** A server that asks once, with or without a state. */
const asking =
  (state: JsonObject) =>
  ({ method, params }: JsonObject): JsonObject => {
    if (method === 'tools/list') return listOf('write');
    if ((params as JsonObject)['inputResponses'] === undefined)
      return { result: { resultType: 'input_required', inputRequests: {}, ...state } };
    return { result: { resultType: 'complete', content: [] } };
  };

describe('answers carried by a call (2026-07-28)', () => {
  it.each(['ask', 'allow'])('are refused if nobody asked for them and the rules say %s', async (action) => {
    await using space = await startSpace();
    await using client = await connectRaw(space, { answer: asking({}), rules: `default: ${action}` });
    for (const more of [ANSWERS, { requestState: 'forged' }, { ...ANSWERS, requestState: 'forged' }]) {
      client.send(call(JSON.stringify(more), more));
      expect(await client.answer(JSON.stringify(more))).toMatchObject({
        error: { code: -32_602, message: expect.stringContaining('Nothing was run') },
      });
    }
    expect(client.calls()).toEqual([]);
    expect(client.participant.pending).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['without a state', {}],
    ['with a state', { requestState: 's' }],
  ])('are passed on if the server asked an allowed call for them, %s', async (_title, state) => {
    await using space = await startSpace();
    await using client = await connectRaw(space, { answer: asking(state), rules: 'default: allow' });
    client.send(call(1));
    await client.answer(1);
    client.send(call(2, { ...ANSWERS, ...state }, '/other'));
    expect(await client.answer(2)).toMatchObject({ error: { code: -32_602 } });
    client.send(call(3, { ...ANSWERS, ...state }));
    expect(await client.answer(3)).toMatchObject({ result: { resultType: 'complete' } });
    expect(client.calls()).toHaveLength(2);
  });

  it('continue the approved call also without a state, and only once', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using client = await connectRaw(space, { answer: asking({}) });
    client.send(call(1));
    await (await next()).fulfil({ name: 'raw/write', arguments: { path: '/edited' } });
    await client.answer(1);
    client.send(call(2, ANSWERS));
    expect(await client.answer(2)).toMatchObject({ result: { resultType: 'complete' } });
    client.send(call(3, ANSWERS));
    expect(await client.answer(3)).toMatchObject({ error: { code: -32_602 } });
    expect(client.calls().map(({ params }) => (params as JsonObject)['arguments'])).toEqual([
      { path: '/edited' },
      { path: '/edited' },
    ]);
  });

  it("for a waiting caller's call are not passed on with it", async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using client = await connectRaw(space, { answer: asking({}), holdFor: 1_000 });
    client.send(call(1));
    await client.answer(1);
    const proposal = await next();
    const wait = { name: 'proffer_wait', arguments: { proposal: proposal.id }, ...ANSWERS };
    client.send(call(2, { ...wait, _meta: { ...META, progressToken: 'p' } }));
    await client.told(({ method }) => method === 'notifications/progress');
    proposal.fulfil().catch(() => {});
    await client.answer(2);
    expect(client.calls()).toHaveLength(1);
    expect(client.calls()[0]?.['params']).not.toHaveProperty('inputResponses');
  });
});

it('the id of a cancelled call can be reused, even while the first waits for the list', async () => {
  await using space = await startSpace();
  const answer = ({ method }: JsonObject) =>
    method === 'tools/list' ? undefined : { result: { content: [] } };
  await using client = await connectRaw(space, { answer, rules: 'default: allow' });
  client.send(call(1));
  client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  client.send(call(1, {}, '/again'));
  await expect.poll(() => client.server.got.some(({ method }) => method === 'tools/list')).toBe(true);
  const lists = client.server.got.filter(({ method }) => method === 'tools/list');
  for (const { id } of lists) client.server.say({ id, ...listOf('write') });
  await client.answer(1);
  expect(client.calls()).toMatchObject([{ params: { arguments: { path: '/again' } } }]);
});
