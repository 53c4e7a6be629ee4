import { withTaskCapabilityV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace } from '../../testing/space.js';
import { OUTCOME_KEY } from '../answers.js';
import { createProposalArchive } from '../recovery/index.js';
import { connectRaw, type RawClient, scripted } from '../testing/raw-client.js';

const TOOLS = {
  tools: [{ name: 't', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }],
};
const PLAIN = { name: 't', arguments: { k: 1 } };
const AS_TASK = { ...PLAIN, task: { ttl: 60_000 } };

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const answer = ({ method }: JsonObject): JsonObject | undefined => {
  if (method === 'tools/list') return { result: TOOLS };
  if (method === 'tasks/list') return { result: { tasks: [] } };
  return method === 'tools/call' ? { result: { content: [{ type: 'text', text: 'ran' }] } } : undefined;
};

/** Sends a request like a 2026-07-28 client that disconnects afterwards. */
async function askOnce(guarded: RawClient, method: string, params: JsonObject): Promise<JsonObject> {
  const client = await guarded.another(answer, { runOn: () => scripted(answer).channel });
  const declared = withTaskCapabilityV2({ ...params, _meta: ENVELOPE } as never);
  client.send({ id: 1, method, params: declared });
  const answered = await client.answer(1);
  await client.leave();
  return answered;
}

function asking(client: RawClient) {
  let last = 0;
  return (method: string, params: JsonObject): Promise<JsonObject> => {
    const id = ++last;
    client.send({ id, method, params });
    return client.answer(id);
  };
}

/** Two clients of one guard; the first has a call as a task. */
async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const client = await connectRaw(space, { answer });
  const other = await client.another(answer);
  const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
  const ask = asking(client);
  await ask('tools/call', AS_TASK);
  const proposal = await next();
  return {
    next,
    proposal,
    client,
    other,
    ask,
    askOther: asking(other),
    phase: async () => (await archive.find(proposal.id))?.proposal['phase'],
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

const CANCELLED = { result: { status: 'cancelled' } };
const RAN = { result: { content: [{ text: 'ran' }] } };

describe('cancelled task', () => {
  it('O-15: is over for its client, and the call stays for another who waits for it', async () => {
    await using here = await place();
    const { ask, askOther, proposal } = here;
    const about = { taskId: proposal.id };
    const result = ask('tasks/result', about);
    const waiting = askOther('tools/call', PLAIN);
    await askOther('tasks/list', {});
    expect(await ask('tasks/cancel', about)).toMatchObject(CANCELLED);
    expect(await result).toMatchObject({ result: { _meta: { [OUTCOME_KEY]: { code: 'withdrawn' } } } });
    expect(await ask('tasks/get', about)).toMatchObject(CANCELLED);
    expect(await ask('tasks/cancel', about)).toMatchObject({ error: { code: -32_602 } });
    expect(await here.phase()).toBe('pending');
    await proposal.fulfil();
    expect(await waiting).toMatchObject(RAN);
    expect(here.client.calls()).toEqual([]);
    expect(here.other.calls()).toHaveLength(1);
    expect(await ask('tasks/get', about)).toMatchObject(CANCELLED);
    expect(await ask('tasks/list', {})).toMatchObject({ result: { tasks: [{ status: 'cancelled' }] } });
    const late = await ask('tasks/result', about);
    expect(late).toMatchObject({ result: { _meta: { [OUTCOME_KEY]: { code: 'withdrawn' } } } });
  });

  it('is not over for another who has the same call as a task', async () => {
    await using here = await place();
    const { ask, askOther, proposal } = here;
    const about = { taskId: proposal.id };
    expect(await askOther('tools/call', AS_TASK)).toMatchObject({ result: { task: about } });
    await ask('tasks/cancel', about);
    expect(await askOther('tasks/get', about)).toMatchObject({ result: { status: 'working' } });
    await proposal.fulfil();
    expect(await ask('tasks/get', about)).toMatchObject(CANCELLED);
    expect(await askOther('tasks/get', about)).toMatchObject({ result: { status: 'completed' } });
    expect(await askOther('tasks/result', about)).toMatchObject(RAN);
  });

  it('O-15: is withdrawn as soon as nobody else waits for it', async () => {
    await using here = await place();
    const { ask, askOther, other } = here;
    void askOther('tools/call', PLAIN);
    await askOther('tasks/list', {});
    await ask('tasks/cancel', { taskId: here.proposal.id });
    expect(await here.phase()).toBe('pending');
    other.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => here.phase()).toBe('withdrawn');
  });

  it('stays cancelled for a client with single requests', async () => {
    await using here = await place();
    const { client, proposal } = here;
    const about = { taskId: proposal.id };
    expect(await askOnce(client, 'tools/call', PLAIN)).toMatchObject({ result: about });
    expect(await askOnce(client, 'tasks/cancel', about)).toMatchObject({
      result: { resultType: 'complete' },
    });
    expect(await askOnce(client, 'tasks/get', about)).toMatchObject(CANCELLED);
    expect(await here.ask('tasks/get', about)).toMatchObject({ result: { status: 'working' } });
    await proposal.fulfil();
    expect(await askOnce(client, 'tasks/get', about)).toMatchObject(CANCELLED);
    // That must not count as a delivered outcome: a repeated call is still the one that ran.
    expect(await here.ask('tools/call', PLAIN)).toMatchObject(RAN);
    expect(client.calls()).toHaveLength(1);
  });

  it('becomes a task again for a client that repeats the call as a task', async () => {
    await using here = await place();
    const { ask, askOther, proposal } = here;
    const about = { taskId: proposal.id };
    const waiting = askOther('tools/call', PLAIN);
    await askOther('tasks/list', {});
    await ask('tasks/cancel', about);
    expect(await ask('tools/call', AS_TASK)).toMatchObject({ result: { task: about } });
    expect(await ask('tasks/get', about)).toMatchObject({ result: { status: 'working' } });
    await proposal.fulfil();
    await waiting;
    expect(await ask('tasks/result', about)).toMatchObject(RAN);
  });
});
