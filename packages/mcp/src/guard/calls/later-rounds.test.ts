import { join } from 'node:path';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { OUTCOME_KEY } from '../answers.js';
import { createCallJournal } from '../recovery/index.js';
import { connectRaw, listOf, type RawClient, type RawClientOptions } from '../testing/raw-client.js';

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const FIRST = { name: 'pay', arguments: { sum: 1 }, _meta: META };
const SECOND = { ...FIRST, requestState: 's', inputResponses: { sure: { action: 'accept' } } };
const DONE = { result: { resultType: 'complete', content: [{ type: 'text', text: 'paid' }] } };

/** A server that asks once, and answers the second round when the test says so. */
const answer: RawClientOptions['answer'] = ({ method, params }) => {
  if (method === 'tools/list') return listOf('pay');
  if (method === 'ping') return { result: {} };
  if ((params as JsonObject)['requestState'] !== undefined) return undefined;
  return { result: { resultType: 'input_required', inputRequests: { sure: {} }, requestState: 's' } };
};

async function place(more: Partial<RawClientOptions> = {}) {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const said: string[] = [];
  reviewer.on('message', ({ kind, payload }) => {
    if (kind === 'chat.message') said.push(JSON.stringify(payload));
  });
  const started: RawClient[] = [];
  // What was delivered is written a moment later, which comes when the test says so.
  const clock = createTestClock();
  const start = async () => {
    const journal = createCallJournal(join(space.folder, 'calls'), { clock });
    const client = await connectRaw(space, { answer, journal, ...more });
    started.push(client);
    return client;
  };
  /** Makes the call, and approves its first round with another sum. */
  const begin = async (client: RawClient): Promise<string> => {
    client.send({ id: 'first', method: 'tools/call', params: FIRST });
    const proposal = await next();
    await proposal.fulfil({ name: 'raw/pay', arguments: { sum: 2 } });
    expect(await client.answer('first')).toMatchObject({ result: { resultType: 'input_required' } });
    return proposal.id;
  };
  return {
    start,
    /** Everything that was answered has arrived, and is on disk. */
    async deliver() {
      clock.pass(250);
      for (const client of started) await client[Symbol.asyncDispose]();
    },
    begin,
    next,
    said,
    async [Symbol.asyncDispose]() {
      // Those that were left behind may still write.
      for (const client of started) await client[Symbol.asyncDispose]();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

/** Starts the second round, and resolves when it has reached the server. */
async function goOn(client: RawClient, id: string): Promise<JsonObject> {
  client.send({ id, method: 'tools/call', params: SECOND });
  await expect.poll(() => client.calls().length).toBe(2);
  return client.calls()[1] ?? {};
}

const codeOf = ({ result }: JsonObject): unknown =>
  ((result as JsonObject)['_meta'] as JsonObject | undefined)?.[OUTCOME_KEY];

describe('later round of an approved call (2026-07-28)', () => {
  it('I-2: is the same one when it was cancelled and is repeated, even without the answers', async () => {
    await using here = await place();
    await using client = await here.start();
    await here.begin(client);
    const { id } = await goOn(client, 'second');
    client.send({ method: 'notifications/cancelled', params: { requestId: 'second' } });
    client.send({ id: 'again', method: 'tools/call', params: SECOND });
    client.send({ id: 'plain', method: 'tools/call', params: FIRST });
    client.send({ id: 'ping', method: 'ping' });
    await client.answer('ping');
    client.server.say({ id, ...DONE });
    for (const asked of ['again', 'plain'])
      expect(await client.answer(asked)).toMatchObject({
        result: { content: [{ text: expect.stringContaining('sum: 1 → 2') }, { text: 'paid' }] },
      });
    expect(client.calls()).toHaveLength(2);
  });

  it('is delivered if it ended while nobody was there, and nothing is run again', async () => {
    await using here = await place();
    await using client = await here.start();
    await here.begin(client);
    const { id } = await goOn(client, 'second');
    client.send({ method: 'notifications/cancelled', params: { requestId: 'second' } });
    client.send({ id: 'ping', method: 'ping' });
    await client.answer('ping');
    client.server.say({ id, ...DONE });
    client.send({ id: 'again', method: 'tools/call', params: SECOND });
    expect(JSON.stringify(await client.answer('again'))).toContain('paid');
    client.send({ id: 'later', method: 'tools/call', params: SECOND });
    expect(await client.answer('later')).toMatchObject({ error: { code: -32_602 } });
    expect(client.calls()).toHaveLength(2);
  });

  it('O-23: has an unknown outcome if the server does not answer, which the space is told too', async () => {
    await using here = await place();
    await using client = await here.start();
    const proposal = await here.begin(client);
    const { id } = await goOn(client, 'second');
    client.server.say({ id, result: 'nonsense' });
    expect(codeOf(await client.answer('second'))).toMatchObject({ code: 'unknown', proposal });
    await expect.poll(() => here.said).toMatchObject([expect.stringContaining(proposal)]);
  });

  it('O-23: has an unknown outcome if a guard left it behind, however it is asked for, until someone was told', async () => {
    await using here = await place();
    const first = await here.start();
    const proposal = await here.begin(first);
    await goOn(first, 'second');
    await first.participant.close();
    for (const params of [SECOND, FIRST]) {
      const client = await here.start();
      client.send({ id: 1, method: 'tools/call', params });
      // An outcome sent just before the guard dies may not have arrived: the file records it a moment later.
      const told = await client.answer(1);
      expect(codeOf(told)).toMatchObject({ code: 'unknown', proposal });
      expect(JSON.stringify(told)).toContain('sum: 1 → 2');
      expect(client.calls()).toEqual([]);
      await client.participant.close();
    }
    expect(here.said).toHaveLength(1);
    await here.deliver();
    const client = await here.start();
    client.send({ id: 1, method: 'tools/call', params: FIRST });
    expect((await here.next()).id).not.toBe(proposal);
  });
});
