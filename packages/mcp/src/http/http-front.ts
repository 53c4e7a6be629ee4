import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  type InboundModernRoute,
  isInitializeRequest,
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  PerRequestHTTPServerTransport,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Channel } from '../channel/channel.js';
import { createTransportChannel } from '../channel/transport-channel.js';
import type { Guard } from '../guard/guard.js';
import { readBody } from './read-body.js';
import { createRelatedRequests } from './related-requests.js';

export interface HttpFrontOptions {
  readonly guard: Guard;
  /** On 127.0.0.1; 0 takes any that is free. */
  readonly port: number;
  /** A server for one session of a client. */
  readonly openSession: () => Channel;
  /** A server for one request of a revision without sessions. */
  readonly openExchange: () => Channel;
  readonly log: (line: string) => void;
}

/** A guard that is reached over Streamable HTTP. */
export interface HttpFront {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
const MOST_SESSIONS = 200;

/**
 * Serves clients over Streamable HTTP on this machine: those with sessions (2025), each of which has a
 * server of its own, and those without (2026-07-28). Answers only requests whose Host and Origin are
 * local, so that no web page can reach it. Settles when it listens.
 */
export async function startHttpFront(options: HttpFrontOptions): Promise<HttpFront> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      options.log(`A request failed: ${error instanceof Error ? error.message : String(error)}`);
      if (!response.headersSent) refuse(response, 500, 'Something went wrong inside.');
      else response.destroy();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = checkRequest(request);
    if (refused !== undefined) return refuse(response, ...refused);
    const body = request.method === 'POST' ? await readBody(request) : { value: undefined };
    if ('problem' in body) return refuse(response, body.status, body.problem);
    const outcome = classifyInboundRequest({
      httpMethod: request.method ?? 'GET',
      ...header(request, 'mcp-protocol-version', 'protocolVersionHeader'),
      ...header(request, 'mcp-method', 'mcpMethodHeader'),
      ...header(request, 'mcp-name', 'mcpNameHeader'),
      body: body.value,
    });
    if (outcome.kind === 'reject') {
      const { httpStatus, code, message, data } = outcome;
      return refuse(response, httpStatus, message, { code, data });
    }
    if (outcome.kind === 'modern') return await exchange(outcome, request, response, body.value);
    await session(request, response, body.value);
  }

  /** One request, one answer, maybe as a stream; closing it calls the request off. */
  async function exchange(
    route: InboundModernRoute,
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const isCall = route.messageKind === 'request' && route.message.method === 'tools/call';
    // A call may be held: headers and keep-alives at once, or something in between gives up.
    const transport = new PerRequestHTTPServerTransport({
      classification: route.classification,
      responseMode: isCall ? 'sse' : 'auto',
    });
    const relatedTo = () => (route.messageKind === 'request' ? route.message.id : undefined);
    const connection = await options.guard.connect(
      createTransportChannel(transport, { relatedTo }),
      options.openExchange(),
      options.openExchange,
    );
    const answer = toNodeHandler({
      fetch: (web) => transport.handleMessage(route.message, { request: web }),
    });
    try {
      await answer(request as Parameters<typeof answer>[0], response, body);
    } finally {
      await connection.close();
    }
  }

  async function session(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) return await known.handleRequest(request, response, body);
    if (typeof id === 'string') return refuse(response, 404, 'There is no such session.', { code: -32_001 });
    if (!isInitializeRequest(body))
      return refuse(response, 400, 'The first request of a session is initialize.');
    if (sessions.size >= MOST_SESSIONS) return refuse(response, 503, 'There are too many sessions.');
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (own) => void sessions.set(own, transport),
    });
    const related = createRelatedRequests();
    const channel = createTransportChannel(transport, {
      relatedTo: related.relatedTo,
      onMessage: related.note,
    });
    const connection = await options.guard.connect(channel, options.openSession());
    void connection.closed.then(() => sessions.delete(transport.sessionId ?? ''));
    await transport.handleRequest(request, response, body);
  }

  await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Refused = readonly [status: number, message: string];

function checkRequest({ headers, url, method }: IncomingMessage): Refused | undefined {
  const host = validateHostHeader(headers.host, localhostAllowedHostnames());
  if (!host.ok) return [403, host.message];
  const origin = validateOriginHeader(headers.origin, localhostAllowedOrigins());
  if (!origin.ok) return [403, origin.message];
  if (url?.split('?')[0] !== PATH) return [404, `There is nothing here; MCP is at ${PATH}.`];
  if (method === 'POST' && !isJsonContentType(headers['content-type'] ?? null)) {
    return [415, 'The body has to be application/json.'];
  }
  return undefined;
}

function header<Key extends string>(
  request: IncomingMessage,
  name: string,
  key: Key,
): { readonly [key in Key]?: string } {
  const value = request.headers[name];
  return (typeof value === 'string' ? { [key]: value } : {}) as { readonly [key in Key]?: string };
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  { code = -32_000, data }: { readonly code?: number; readonly data?: unknown } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message, data }, id: null }));
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}
