import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { JsonObject } from '@proffer/core/json';

export interface BluntOptions {
  /** Answers a call in any way. */
  readonly onCall: (response: ServerResponse, id: unknown) => void;
  /** Whether clients have sessions there. Default: false. */
  readonly hasSessions?: boolean;
  /** Answers requests first, if it returns true. */
  readonly door?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** A 2025 server over HTTP with a tool `pay`, and scripted answers to its calls. */
export interface BluntServer extends AsyncDisposable {
  readonly url: URL;
  /** The number of calls received. */
  calls(): number;
}

export async function startBluntServer(options: BluntOptions): Promise<BluntServer> {
  const { onCall, hasSessions = false, door = () => false } = options;
  const results: Readonly<Record<string, JsonObject>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'blunt', version: '1' },
    },
    'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
  };
  let calls = 0;
  const http = createServer(async (request, response) => {
    if (door(request, response)) return;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { readonly id?: unknown; readonly method: string };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call') {
      calls++;
      return onCall(response, id);
    }
    const session = hasSessions && method === 'initialize' ? { 'mcp-session-id': 'one' } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...session });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** Ends a response with a status and a JSON-RPC message. */
export function answerWith(response: ServerResponse, status: number, message: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}
