import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { JsonObject } from '@proffer/core/json';

/**
 * A 2025 server with sessions and no stream, which can forget them as if it had been restarted.
 *
 * @param error - the JSON-RPC error that comes with the status 404; default: no body
 */
export async function startForgetful(error?: JsonObject) {
  const sessions = new Set<unknown>();
  let ran = 0;
  const results: Readonly<Record<string, () => JsonObject>> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'forgetful', version: '1' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [{ name: 'run', inputSchema: { type: 'object' } }] }),
    'tools/call': () => {
      ran++;
      return { content: [] };
    },
  };
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { readonly id?: number; readonly method: string };
    if (method !== 'initialize' && !sessions.has(request.headers['mcp-session-id']))
      return void response
        .writeHead(404, { 'content-type': 'application/json' })
        .end(error === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error }));
    if (id === undefined) return void response.writeHead(202).end();
    const session = `session-${sessions.size}-${ran}`;
    if (method === 'initialize') sessions.add(session);
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.() ?? {} }));
  });
  const port = await listenHttp(http, 0);
  return { port, forget: () => sessions.clear(), ran: () => ran, close: () => endHttp(http) };
}

/** Resolves with the port. */
export async function listenHttp(http: Server, port: number): Promise<number> {
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Closes a server with its connections. */
export async function endHttp(http: Server): Promise<void> {
  const closed = once(http, 'close');
  http.close();
  http.closeAllConnections();
  await closed;
}
