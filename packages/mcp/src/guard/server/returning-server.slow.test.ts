import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { createTransportChannel } from '../../channel/transport-channel.js';
import { createUpstreamHttp } from '../../channel/upstream-http.js';
import { notificationOf, type RpcId, requestOf } from '../../json-rpc.js';
import { proposalsFor } from '../../testing/deciding.js';
import { freePort } from '../../testing/free-port.js';
import { endHttp, listenHttp, startForgetful } from '../../testing/servers/forgetful-server.js';
import { startSpace } from '../../testing/space.js';
import { killEverything, startEverything } from '../../testing/transcripts/everything-http.js';
import { OUTCOME_KEY } from '../answers.js';
import { Guard, type GuardOptions } from '../guard.js';
import { createProposalArchive } from '../recovery/index.js';
import { createPinFile } from '../trust/index.js';
import { createReturningServer } from './returning-server.js';

/** A client of a guard in front of whatever is at this port. */
async function guardedAt(port: number, decide: GuardOptions['decide']) {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const logged: string[] = [];
  const guard = await Guard.start({
    participant: await space.join('guard'),
    archive: createProposalArchive({ url: space.url, space: 'main', token: 'guard' }),
    pins: createPinFile(join(space.folder, 'pins.json')),
    server: 'remote',
    hints: () => true,
    decide,
  });
  const [toClient, front] = InMemoryTransport.createLinkedPair();
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const openServer = () => createUpstreamHttp({ url });
  const back = createReturningServer({ openServer, log: (line) => void logged.push(line) });
  await guard.connect(createTransportChannel(front), back);
  const client = new Client({ name: 'test', version: '1' });
  let lists = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void lists++);
  await client.connect(toClient);
  return {
    client,
    logged,
    next: proposalsFor(reviewer),
    /** How often the client was told that the tools may have changed. */
    lists: () => lists,
    async [Symbol.asyncDispose]() {
      await guard.close();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

/** A channel to a server whose first session answers no call: the test decides what happens to each. */
async function heldCalls() {
  const held = new Map<RpcId, ServerResponse>();
  const ran: RpcId[] = [];
  /** Everything it received, as session and method. */
  const heard: string[] = [];
  let sessions = 0;
  let isFirstKnown = true;
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { readonly id?: RpcId; readonly method: string };
    const session = method === 'initialize' ? `${++sessions}` : String(request.headers['mcp-session-id']);
    heard.push(`${session} ${method}`);
    if (session === '1' && !isFirstKnown) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call' && session === '1') return void held.set(id, response);
    if (method === 'tools/call') ran.push(id);
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const url = new URL(`http://127.0.0.1:${await listenHttp(http, 0)}/mcp`);
  const back = createReturningServer({ openServer: () => createUpstreamHttp({ url }) });
  const answered: unknown[] = [];
  const lost: RpcId[] = [];
  await back.open({
    onMessage: (message) => void answered.push(message['id']),
    onUnanswered: (id) => void lost.push(id),
    onClose: () => {},
    onDrain: () => {},
  });
  const clientInfo = { name: 'test', version: '1' };
  back.send(
    requestOf('begin', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
  );
  await expect.poll(() => answered).toContain('begin');
  back.send(notificationOf('notifications/initialized', {}));
  return {
    ran,
    heard,
    answered,
    lost,
    async call(id: string) {
      back.send(requestOf(id, 'tools/call', { name: 'run' }));
      await expect.poll(() => held.has(id)).toBe(true);
    },
    send: (message: JsonObject) => back.send(message),
    /** The first session is no longer known, and the connection of this call breaks. */
    breakOff(id: string) {
      isFirstKnown = false;
      held.get(id)?.destroy();
    },
    /** This call was not accepted, because its session is no longer known. */
    refuse(id: string) {
      isFirstKnown = false;
      held.get(id)?.writeHead(404).end();
    },
    async [Symbol.asyncDispose]() {
      await back.close();
      await endHttp(http);
    },
  };
}

const callOff = (requestId: string) => notificationOf('notifications/cancelled', { requestId });
const allow: GuardOptions['decide'] = () => ({ action: 'allow', reason: '', version: '1' });
const ask: GuardOptions['decide'] = () => ({ action: 'ask', reason: '', version: '1' });
const echo = { name: 'echo', arguments: { message: 'hello' } };
const echoed = { content: [{ text: 'Echo: hello' }] };

describe('guard in front of a server over HTTP', () => {
  it('O-23: resumes when the server is back, and reports the outcome of running calls as unknown', async () => {
    const port = await freePort();
    const first = await startEverything(port);
    await using here = await guardedAt(port, (call) => (call.tool === 'echo' ? allow(call) : ask(call)));
    expect(await here.client.callTool(echo)).toMatchObject(echoed);
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 600 } };
    let steps = 0;
    // Only the server's own progress: the guard reports some too while it waits.
    const onprogress = ({ total }: { readonly total?: number | undefined }): void =>
      void (total === 600 && steps++);
    const asked = here.client.callTool(long, { onprogress });
    const approved = (await here.next()).fulfil().catch((error: unknown) => error);
    // It may not have started before its first step.
    await expect.poll(() => steps).toBeGreaterThan(0);
    await killEverything(first);
    expect(await approved).toMatchObject({ name: 'OutcomeUnknownError' });
    expect(await asked).toMatchObject({ _meta: { [OUTCOME_KEY]: { code: 'unknown' } } });
    await expect(here.client.callTool(echo)).rejects.toThrow(
      /cannot be reached.* Nothing was run; call again\./,
    );
    const second = await startEverything(port);
    expect(await here.client.callTool(echo)).toMatchObject(echoed);
    expect(here.logged).toHaveLength(1);
    await expect.poll(here.lists).toBeGreaterThan(0);
    await killEverything(second);
  }, 30_000);

  it('I-2: resends a call that an old session did not accept, and it runs once', async () => {
    const forgetful = await startForgetful();
    await using here = await guardedAt(forgetful.port, allow);
    await here.client.callTool({ name: 'run', arguments: {} });
    forgetful.forget();
    expect(await here.client.callTool({ name: 'run', arguments: {} })).toMatchObject({ content: [] });
    expect(forgetful.ran()).toBe(2);
    forgetful.forget();
    const both = [1, 2].map(() => here.client.callTool({ name: 'run', arguments: {} }));
    expect(await Promise.all(both)).toMatchObject([{ content: [] }, { content: [] }]);
    expect(forgetful.ran()).toBe(4);
    await forgetful.close();
  });

  it.each([
    ['that names the session', { code: -32_001, message: 'Session not found' }, 2],
    ['that could be about the call', { code: -32_000, message: 'Not found' }, 1],
  ])('I-2: starts a new session after a 404 with a JSON-RPC error %s', async (_, error, ran) => {
    const forgetful = await startForgetful(error);
    await using here = await guardedAt(forgetful.port, allow);
    const call = () => here.client.callTool({ name: 'run', arguments: {} });
    await call();
    forgetful.forget();
    // A call that may have run is not sent again; the next one has a session.
    await call().catch(() => undefined);
    expect(forgetful.ran()).toBe(ran);
    await expect.poll(async () => await call().catch(() => undefined)).toMatchObject({ content: [] });
    await forgetful.close();
  });

  it('O-23: reports that nothing was run if the server of an approved call is unreachable, and asks again', async () => {
    const forgetful = await startForgetful();
    await using here = await guardedAt(forgetful.port, ask);
    const call = () => here.client.callTool({ name: 'run', arguments: {} });
    const asked = call();
    const proposal = await here.next();
    await forgetful.close();
    await expect(proposal.fulfil()).rejects.toThrow(/^Nothing was run: .*cannot be reached/);
    expect(await asked).toMatchObject({ isError: true, _meta: { [OUTCOME_KEY]: { code: 'unavailable' } } });
    const again = call();
    await (await here.next()).reject('unsafe');
    expect(await again).toMatchObject({ _meta: { [OUTCOME_KEY]: { code: 'rejected' } } });
  });
});

describe('returning server', () => {
  it('O-23: gets only a call again that was rejected after its session was found to be lost', async () => {
    await using here = await heldCalls();
    await here.call('a');
    await here.call('b');
    await here.call('c');
    here.breakOff('a');
    await expect.poll(() => here.heard).toContain('1 ping');
    await expect.poll(() => here.lost).toEqual(['a']);
    here.send(callOff('c'));
    await expect.poll(() => here.heard.at(-1)).toBe('1 notifications/cancelled');
    here.refuse('c');
    await expect.poll(() => here.lost).toEqual(['a', 'c']);
    here.refuse('b');
    await expect.poll(() => here.answered).toContain('b');
    expect(here.ran).toEqual(['b']);
    expect(here.heard).not.toContain('2 notifications/cancelled');
  });

  it('I-2: never gets a cancelled call again', async () => {
    await using here = await heldCalls();
    await here.call('a');
    here.send(callOff('a'));
    here.refuse('a');
    await expect.poll(() => here.lost).toEqual(['a']);
    here.send(requestOf('b', 'tools/call', { name: 'run' }));
    await expect.poll(() => here.answered).toContain('b');
    expect(here.ran).toEqual(['b']);
  });
});
