import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defined } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { createProposalArchive } from '../guard/recovery/index.js';
import { proposalsFor, textOf } from '../testing/deciding.js';
import { modernRequests, postUnread, rawPost } from '../testing/http-requests.js';
import { type NotesFrontOptions, startNotesFront } from '../testing/notes-front.js';
import { startSpace, type TestSpace } from '../testing/space.js';

const append = (line: string) => ({ name: 'append', arguments: { line } });
const written = ({ folder }: TestSpace) => readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '');

const startFront = (space: TestSpace, options?: NotesFrontOptions) => startNotesFront(space, options);

async function connectTo(address: URL, pin?: string, sessionId?: string): Promise<Client> {
  const negotiation = pin === undefined ? {} : { versionNegotiation: { mode: { pin } } };
  const client = new Client({ name: 'test', version: '1.0.0' }, negotiation);
  await client.connect(new StreamableHTTPClientTransport(address, defined({ sessionId })));
  return client;
}

describe.each([
  ['2025-11-25', undefined],
  ['2026-07-28', '2026-07-28'],
])('client of %s over HTTP', (_revision, pin) => {
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
    expect(told).not.toEqual([]);
    const rejected = client.callTool(append('two'));
    await (await next()).reject('unsafe');
    expect(await rejected).toMatchObject({ isError: true });
    expect(await written(space)).toBe('one\n');
    await client.close();
  });

  it('may return after hanging up: its retry joins the waiting call', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using front = await startFront(space);
    const first = await connectTo(front.address, pin);
    const { sessionId } = first.transport ?? {};
    first.callTool(append('one')).catch(() => {});
    const proposal = await next();
    await first.close();
    const second = await connectTo(front.address, pin, sessionId);
    const retry = second.callTool(append('one'));
    await second.listTools();
    await proposal.fulfil();
    expect(textOf(await retry)).toBe('appended one');
    expect(await written(space)).toBe('one\n');
    await second.close();
  });

  it('O-15: has its proposal withdrawn if it hangs up for good', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using front = await startFront(space, { window: 200 });
    const client = await connectTo(front.address, pin);
    client.callTool(append('one')).catch(() => {});
    const { id } = await next();
    // Silently: no cancellation, no end of the session.
    await client.close();
    const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
    await expect
      .poll(async () => (await archive.find(id))?.proposal)
      .toMatchObject({ phase: 'withdrawn', rejections: {} });
    expect(await written(space)).toBe('');
  });

  it('O-15: has its proposal withdrawn if it cancels the call', async () => {
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
    await client.close();
  });
});

describe('sessions over HTTP', () => {
  it('O-3: isolate their calls from each other', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using front = await startFront(space, { holdFor: 50 });
    const [first, second] = await Promise.all([connectTo(front.address), connectTo(front.address)]);
    const said = textOf(await first.callTool(append('one')));
    const mine = await next();
    expect(said).toContain(mine.id);
    await second.callTool(append('one'));
    const other = await next();
    expect(other.id).not.toBe(mine.id);
    const wait = { name: 'proffer_wait', arguments: { proposal: mine.id } };
    expect(await second.callTool(wait)).toMatchObject({ isError: true });
    expect(textOf(await second.callTool(wait))).toContain('No call is waiting');
    const fulfilled = mine.fulfil();
    await expect
      .poll(async () => textOf(await first.callTool(wait)), { timeout: 20_000 })
      .toBe('appended one');
    await fulfilled;
    await Promise.all([first.close(), second.close()]);
  });

  it('I-7: leave nothing behind if they do not start, and end when idle', async () => {
    await using space = await startSpace();
    await using front = await startFront(space, { idle: 100 });
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const headers = { 'content-type': 'application/json', accept: 'text/html' };
    const body = JSON.stringify({ ...initialize, params });
    expect((await fetch(front.address, { method: 'POST', headers, body })).status).toBe(406);
    await expect.poll(front.running, { timeout: 20_000 }).toBe(0);

    const client = await connectTo(front.address);
    await client.listTools();
    expect(front.running()).toBe(1);
    await client.close();
    await expect.poll(front.running, { timeout: 20_000 }).toBe(0);
  });

  it('I-7: leave nothing behind if their client hangs up before they have started', async () => {
    await using space = await startSpace();
    let begin = (): void => {};
    const beginning = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await using front = await startFront(space, { idle: 100, beforeOpening: () => beginning });
    const clientInfo = { name: 'x', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const client = postUnread(front.address, {}, message);
    await expect.poll(front.running).toBe(1);
    client.destroy();
    await once(client, 'close');
    // By the time another is answered, the end of the first has been seen.
    await fetch(new URL('/elsewhere', front.address));
    begin();
    await expect.poll(front.running, { timeout: 20_000 }).toBe(0);
  });
});

describe('guard over HTTP', () => {
  it('rejects a client without the token', async () => {
    await using space = await startSpace();
    await using front = await startFront(space, { tokens: ['other', 'secret'] });
    const refused = await fetch(front.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secre' },
      body: '{}',
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: 'Bearer secret' } };
    await client.connect(new StreamableHTTPClientTransport(front.address, { requestInit }));
    expect((await client.listTools()).tools).not.toHaveLength(0);
    await client.close();
  });

  it('keeps a task without a connection, and runs it for a caller that still polls it', async () => {
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

  it('lets two clients without sessions share a server and keeps their answers apart', async () => {
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

  it('is not reachable for a web page, and rejects malformed requests', async () => {
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
