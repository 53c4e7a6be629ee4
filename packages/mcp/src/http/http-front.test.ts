import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { withTaskCapabilityV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import type { JsonObject } from '@proffer/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLanes } from '../channel/lanes.js';
import { createStdioBack } from '../channel/stdio-back.js';
import { createProposalArchive } from '../guard/proposal-archive.js';
import { textAt } from '../json-rpc.js';
import { bundlePrograms, type Programs } from '../testing/bundle.js';
import { proposalsFor, textOf } from '../testing/deciding.js';
import { guardInProcess } from '../testing/in-process.js';
import { startSpace, type TestSpace } from '../testing/space.js';
import { startHttpFront } from './http-front.js';

let programs: Programs;
beforeAll(async () => {
  programs = await bundlePrograms();
}, 60_000);
afterAll(() => programs[Symbol.asyncDispose]());

const append = (line: string) => ({ name: 'append', arguments: { line } });
const written = ({ folder }: TestSpace) => readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '');

/** A guard over HTTP in front of the notes server as a process. */
async function startFront(space: TestSpace, options: Parameters<typeof guardInProcess>[1] = {}) {
  const guarded = await guardInProcess(space, options);
  const openSession = () =>
    createStdioBack({ command: process.execPath, args: [programs.notes, join(space.folder, 'notes.txt')] });
  const lanes = createLanes(openSession);
  const openExchange = () => lanes.lane();
  const front = await startHttpFront({
    guard: guarded.guard,
    port: 0,
    openSession,
    openExchange,
    log: () => {},
  });
  return {
    address: new URL(front.url),
    async [Symbol.asyncDispose]() {
      await front.close();
      await lanes.close();
      await guarded.guard.close();
    },
  };
}

async function connectTo(address: URL, pin?: string): Promise<Client> {
  const negotiation = pin === undefined ? {} : { versionNegotiation: { mode: { pin } } };
  const client = new Client({ name: 'test', version: '1.0.0' }, negotiation);
  await client.connect(new StreamableHTTPClientTransport(address));
  return client;
}

describe.each([
  ['2025-11-25', undefined],
  ['2026-07-28', '2026-07-28'],
])('a client of %s over HTTP', (_revision, pin) => {
  it('has calls approved and rejected like one over stdio', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using front = await startFront(space);
    const client = await connectTo(front.address, pin);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['append', 'proffer_wait']));
    expect(textOf(await client.callTool({ name: 'read', arguments: {} }))).toBe('');
    const told: number[] = [];
    const approved = client.callTool(append('one'), {
      onprogress: ({ progress }) => void told.push(progress),
    });
    await (await next()).fulfil();
    expect(textOf(await approved)).toBe('appended one');
    expect(told).toContain(1);
    const rejected = client.callTool(append('two'));
    await (await next()).reject('unsafe');
    expect(await rejected).toMatchObject({ isError: true });
    expect(await written(space)).toBe('one\n');
    await client.close();
  });

  it('that hangs up may come back: its retry joins what waits', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using front = await startFront(space);
    const first = await connectTo(front.address, pin);
    first.callTool(append('one')).catch(() => {});
    const proposal = await next();
    await first.close();
    const second = await connectTo(front.address, pin);
    const retry = second.callTool(append('one'));
    await second.listTools();
    await proposal.fulfil();
    expect(textOf(await retry)).toBe('appended one');
    expect(await written(space)).toBe('one\n');
    await second.close();
  });

  it('O-15: that hangs up for good has its proposal withdrawn', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using front = await startFront(space, { window: 200 });
    const client = await connectTo(front.address, pin);
    const leaving = new AbortController();
    client.callTool(append('one'), { signal: leaving.signal }).catch(() => {});
    const { id } = await next();
    leaving.abort();
    const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
    await expect
      .poll(async () => (await archive.find(id))?.proposal)
      .toMatchObject({ phase: 'withdrawn', rejections: {} });
    expect(await written(space)).toBe('');
    await client.close();
  });
});

describe('over HTTP', () => {
  it('a task goes on without a connection, and runs for whoever still asks for it', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using front = await startFront(space);
    const ask = modernRequests(front.address);
    expect(await ask('tools/call', append('one'))).toMatchObject({ resultType: 'task', status: 'working' });
    const proposal = await next();
    const fulfilled = proposal.fulfil();
    const task = { taskId: proposal.id };
    await expect
      .poll(() => ask('tasks/get', task), { timeout: 20_000 })
      .toMatchObject({
        status: 'completed',
        result: { content: [{ text: 'appended one' }] },
      });
    await fulfilled;
    expect(await written(space)).toBe('one\n');
  });

  it('two clients without sessions share a server and keep their answers apart', async () => {
    await using space = await startSpace();
    await using front = await startFront(space, {
      decide: () => ({ action: 'allow', reason: '', version: '1' }),
    });
    const clients = await Promise.all([1, 2, 3].map(() => connectTo(front.address, '2026-07-28')));
    const calls = clients.flatMap((client, index) =>
      Array.from({ length: 20 }, async (_, number) => {
        const text = 'x'.repeat(100 * index + number);
        const { structuredContent } = await client.callTool({ name: 'count', arguments: { text } });
        return [structuredContent, { count: text.length }];
      }),
    );
    for (const [found, expected] of await Promise.all(calls)) expect(found).toEqual(expected);
    for (const client of clients) await client.close();
  });

  it('a web page cannot reach it, and a request that is none is refused', async () => {
    await using space = await startSpace();
    await using front = await startFront(space);
    const post = (headers: Record<string, string>, body = '{}') =>
      fetch(front.address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post({}, 'not json')).status).toBe(400);
    expect(
      (await post({ 'mcp-session-id': 'nobody' }, '{"jsonrpc":"2.0","id":1,"method":"ping"}')).status,
    ).toBe(404);
    expect((await fetch(new URL('/', front.address))).status).toBe(404);
    const rebound = await rawPost(front.address, 'evil.example');
    expect(rebound).toContain('403');
  });
});

/** Requests of 2026-07-28 that declare tasks, each a POST of its own. */
function modernRequests(address: URL) {
  let id = 0;
  return async (method: string, params: JsonObject): Promise<JsonObject> => {
    const declared = withTaskCapabilityV2({
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    } as never);
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': textAt(params, 'name') || textAt(params, 'taskId'),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: declared }),
    });
    const text = await response.text();
    const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
    return (JSON.parse(data) as { result: JsonObject }).result;
  };
}

/** A request under another host's name, which `fetch` does not allow. */
async function rawPost({ port }: URL, host: string): Promise<string> {
  const script = `require('net').connect(${port},'127.0.0.1',function(){this.write('POST /mcp HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n')}).pipe(process.stdout)`;
  const child: ChildProcess = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, 'close');
  return text;
}
