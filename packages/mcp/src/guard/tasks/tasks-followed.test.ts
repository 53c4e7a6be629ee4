import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { withTaskCapabilityV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type JsonObject, objectsIn } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import type { JsonRpcChannel } from '../../channel/channel.js';
import { createTransportChannel } from '../../channel/transport-channel.js';
import { proposalsFor } from '../../testing/deciding.js';
import { guardInProcess } from '../../testing/in-process.js';
import { createShowcaseServer } from '../../testing/servers/showcase-server.js';
import { startSpace } from '../../testing/space.js';
import { taskSession } from '../../testing/task-session.js';
import { scripted } from '../testing/raw-client.js';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ACCEPTED = { action: 'accept', content: { name: 'Ann' } };

/** The official client of 2026-07-28 tasks, in front of a guard and any server. */
async function place(back: JsonRpcChannel) {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const { guard } = await guardInProcess(space);
  const [toClient, front] = InMemoryTransport.createLinkedPair();
  await guard.connect(createTransportChannel(front), back);
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(toClient);
  const asked: string[] = [];
  const session = taskSession(client, toClient, {
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    onInputRequest: async ({ kind }) => {
      asked.push(kind);
      const sampled = { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'none' };
      return (kind === 'elicitation' ? ACCEPTED : kind === 'roots' ? { roots: [] } : sampled) as never;
    },
  });
  const nextProposal = proposalsFor(reviewer);
  return {
    session,
    asked,
    /** The next call, once its tool is announced: the guard asks at once, and nobody can approve it before. */
    next: async () => {
      const proposal = await nextProposal();
      const { name } = proposal.params as { readonly name: string };
      const served = () => reviewer.participants.flatMap(({ serves }) => objectsIn(serves?.tools));
      await expect.poll(() => served().map((tool) => tool['name'])).toContain(name);
      return proposal;
    },
    async [Symbol.asyncDispose]() {
      await session.close();
      await guard.close();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

function showcase(): JsonRpcChannel {
  const [back, toServer] = InMemoryTransport.createLinkedPair();
  const state = { isChanged: false, begun: 0, calledOff: 0, tellOfChange: () => {} };
  serveStdio(() => createShowcaseServer(state), { transport: toServer });
  const channel = createTransportChannel(back);
  // As serialized: undefined values are dropped.
  const written = (message: JsonObject) => JSON.parse(JSON.stringify(message)) as JsonObject;
  return {
    ...channel,
    open: (events) => channel.open({ ...events, onMessage: (message) => events.onMessage(written(message)) }),
  };
}

const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
  serverInfo: { name: 's', version: '1' },
  ttlMs: 0,
  cacheScope: 'private',
};
const TOOLS = { resultType: 'complete', tools: [{ name: 'work', inputSchema: { type: 'object' } }] };
const QUESTION = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};

/** A server that answers calls with its own task, which advances through these states, one per poll. */
function working(...states: readonly JsonObject[]) {
  const times = { createdAt: new Date(0).toISOString(), lastUpdatedAt: new Date(0).toISOString() };
  const task = { taskId: 'own', ...times, ttlMs: 60_000, pollIntervalMs: 50 };
  const left = [...states];
  const { channel, server } = scripted(({ method }) => {
    if (method === 'server/discover') return { result: DISCOVERED };
    if (method === 'tools/list') return { result: { ...TOOLS, ttlMs: 0, cacheScope: 'private' } };
    if (method === 'tools/call') return { result: { resultType: 'task', ...task, status: 'working' } };
    if (method === 'tasks/update') left.shift();
    if (method !== 'tasks/get') return { result: { resultType: 'complete' } };
    const [now = {}] = left;
    if (now['status'] !== 'input_required' && left.length > 1) left.shift();
    return 'error' in now && !('status' in now)
      ? { error: now['error'] }
      : { result: { resultType: 'complete', ...task, ...now } };
  });
  return { channel, got: (wanted: string) => server.got.filter(({ method }) => method === wanted) };
}

const WORKING = { status: 'working' };
const DONE = {
  status: 'completed',
  result: {
    resultType: 'complete',
    content: [{ type: 'text', text: 'worked' }],
    _meta: { 'proffer/outcome': { code: 'rejected' }, own: 1 },
  },
};

describe.concurrent('caller that accepts tasks (2026-07-28)', () => {
  it("gets the result of the server's own task, after the changes", async () => {
    const server = working(WORKING, WORKING, DONE);
    await using here = await place(server.channel);
    const execution = await here.session.callTool('work', { sum: 1 });
    const proposal = await here.next();
    const fulfilled = proposal.fulfil({ name: 'notes/work', arguments: { sum: 2 } });
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({
      content: [{ text: expect.stringContaining('sum: 1 → 2') }, { text: 'worked' }],
      _meta: { own: 1 },
    });
    expect(JSON.stringify(outcome)).not.toContain('rejected');
    expect(await fulfilled).toMatchObject({ content: [{ text: 'worked' }] });
    expect(server.got('tasks/get')).toHaveLength(3);
  });

  it("is asked the questions of the server's own task", async () => {
    const server = working(
      WORKING,
      { status: 'input_required', inputRequests: { who: QUESTION } },
      WORKING,
      DONE,
    );
    await using here = await place(server.channel);
    const execution = await here.session.callTool('work', {});
    const fulfilled = (await here.next()).fulfil();
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'worked' }] });
    expect(here.asked).toEqual(['elicitation']);
    expect(server.got('tasks/update')).toMatchObject([
      { params: { taskId: 'own', inputResponses: { who: ACCEPTED } } },
    ]);
    await fulfilled;
  });

  it("gets the error of the server's own task", async () => {
    const error = { code: -32_000, message: 'card declined' };
    await using here = await place(working({ status: 'failed', error }).channel);
    const execution = await here.session.callTool('work', {});
    const fulfilled = (await here.next()).fulfil();
    await expect(fulfilled).rejects.toThrow('card declined');
    expect((await execution.settle()).outcome).toMatchObject({
      status: 'failed',
      error: { data: undefined },
    });
  });

  it('O-23: is told that the outcome is unknown when the server forgets its task', async () => {
    const forgotten = { error: { code: -32_602, message: 'no such task' } };
    await using here = await place(working(WORKING, forgotten).channel);
    const execution = await here.session.callTool('work', {});
    const fulfilled = (await here.next()).fulfil();
    await expect(fulfilled).rejects.toThrow('is unknown');
    expect(resultFromTaskOutcome((await execution.settle()).outcome)).toMatchObject({
      isError: true,
      _meta: { 'proffer/outcome': { code: 'unknown' } },
    });
  });

  it("is asked within its task for a tool's input, in each round", async () => {
    await using here = await place(showcase());
    const execution = await here.session.callTool('ask-rounds', {});
    const proposal = await here.next();
    const fulfilled = proposal.fulfil();
    const { outcome } = await execution.settle();
    const text = expect.stringContaining('three rounds, then {"three"');
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text }] });
    expect(here.asked).toEqual(['elicitation', 'sampling', 'elicitation', 'sampling', 'roots']);
    expect(await fulfilled).toMatchObject({ content: [{ text }] });
  });
});

it("has the server's own task followed even after the connection that asked for it ended", async () => {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const { guard } = await guardInProcess(space);
  const server = working(WORKING, WORKING, DONE);
  /** A client with single requests. */
  const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
    const [client, front] = InMemoryTransport.createLinkedPair();
    const about = { runOn: () => server.channel, scope: 'one' };
    const connection = await guard.connect(createTransportChannel(front), working().channel, about);
    const answered = new Promise<JsonObject>((resolve) => {
      Object.assign(client, { onmessage: resolve });
    });
    await client.start();
    const declared = withTaskCapabilityV2({ ...params, _meta: ENVELOPE } as never);
    await client.send({ jsonrpc: '2.0', id: 1, method, params: declared } as never);
    const { result } = await answered;
    await connection.close();
    return result as JsonObject;
  };
  const { taskId = '' } = await ask('tools/call', { name: 'work', arguments: {} });
  const fulfilled = (await next()).fulfil();
  await expect
    .poll(() => ask('tasks/get', { taskId }), { timeout: 10_000 })
    .toMatchObject({ status: 'completed', result: { content: [{ text: 'worked' }] } });
  expect(await fulfilled).toMatchObject({ content: [{ text: 'worked' }] });
  await guard.close();
});
