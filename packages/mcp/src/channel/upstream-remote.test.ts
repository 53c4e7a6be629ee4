import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { describe, expect, it } from 'vitest';
import { Guard } from '../guard/guard.js';
import { createProposalArchive } from '../guard/recovery/index.js';
import { createReturningServer } from '../guard/server/index.js';
import { createPinFile } from '../guard/trust/index.js';
import { freePort } from '../testing/free-port.js';
import { startSpace, type TestSpace } from '../testing/space.js';
import { createTransportChannel } from './transport-channel.js';
import { createUpstreamRemote } from './upstream-remote.js';

/** A server of 2024-11-05 that requires a key, and counts what it ran. */
async function startSseServer(port = 0, postStatus = 404) {
  const sessions = new Map<string, SSEServerTransport>();
  let runs = 0;
  const http = createServer(async (request, response) => {
    if (request.headers['x-key'] !== 'yes') return void response.writeHead(401).end();
    const url = new URL(request.url ?? '', 'http://here');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      const server = new McpServer({ name: 'older', version: '1' });
      server.registerTool('count', {}, () => ({ content: [{ type: 'text', text: `${++runs}` }] }));
      return await server.connect(transport);
    }
    const session = sessions.get(url.searchParams.get('sessionId') ?? '');
    if (request.method !== 'POST' || session === undefined) return void response.writeHead(postStatus).end();
    await session.handlePostMessage(request, response);
  }).listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`),
    async [Symbol.asyncDispose]() {
      if (!http.listening) return;
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

async function connectThrough(space: TestSpace, url: URL) {
  const guard = await Guard.start({
    participant: await space.join('notes'),
    archive: createProposalArchive({ url: space.url, space: 'main', token: 'notes' }),
    pins: createPinFile(join(space.folder, 'pins.json')),
    server: 'older',
    holdFor: 2_000,
    decide: () => ({ action: 'allow', reason: '', version: '1' }),
  });
  const openServer = () => createUpstreamRemote({ url, headers: { 'x-key': 'yes' } });
  const [toClient, front] = InMemoryTransport.createLinkedPair();
  await guard.connect(createTransportChannel(front), createReturningServer({ openServer, log: () => {} }));
  const client = new Client({ name: 'test', version: '1' });
  return { guard, client, connecting: client.connect(toClient) };
}

describe('server of 2024-11-05 (HTTP+SSE)', () => {
  it.each([400, 404, 405])('is reached if POST is answered with %i', async (status) => {
    await using server = await startSseServer(0, status);
    await using space = await startSpace();
    const { guard, client, connecting } = await connectThrough(space, server.url);
    await connecting;
    expect(client.getServerVersion()).toMatchObject({ name: 'older' });
    expect(await client.callTool({ name: 'count' })).toMatchObject({ content: [{ text: '1' }] });
    await guard.close();
  });

  it('is reached again after a restart', async () => {
    const port = await freePort();
    await using space = await startSpace();
    const first = await startSseServer(port);
    const { guard, client, connecting } = await connectThrough(space, first.url);
    await connecting;
    expect(await client.callTool({ name: 'count' })).toMatchObject({ content: [{ text: '1' }] });
    await first[Symbol.asyncDispose]();
    await using second = await startSseServer(port);
    expect(second.url).toEqual(first.url);
    // A call made before the end of the stream is noticed has an unknown outcome.
    const count = () => client.callTool({ name: 'count' }).catch(({ message }: Error) => ({ message }));
    await expect.poll(count).toMatchObject({ content: [{ text: '1' }] });
    await guard.close();
  });

  it('is reported by its first answer if it does not support that either', async () => {
    await using server = await startSseServer();
    await using space = await startSpace();
    const elsewhere = new URL('/mcp', server.url);
    const { guard, connecting } = await connectThrough(space, elsewhere);
    await expect(connecting).rejects.toThrow('answered with HTTP status 404');
    await guard.close();
  });
});
